// What a reader would see first: an open dialog, else messages and the main part of the page.
const shows = (ask) => {
  const page = pageNow();
  const dialog = openDialogs()[0];
  const part = dialog || document.querySelector("main,[role=main]") || document.body;
  const said = dialog ? [] : liveTexts();
  page.shows = shorten([...said, part ? part.innerText : ""].join(" "), ask.limit);
  return page;
};
