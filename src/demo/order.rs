//! An order in ten steps, the same for both sides. A snapshot is taken only where no answer has
//! shown the page yet, so the number of calls is what each side makes necessary.

use super::DemoError;
use super::server::Server;
use super::side::{Exchange, Side};
use super::site::Order;

/// What is wanted, field by field.
fn wanted() -> Order {
    Order {
        quantity: "3".to_owned(),
        coupon: "TEA10".to_owned(),
        name: "Ada Byron".to_owned(),
        delivery: "Express".to_owned(),
        date: "2027-03-15".to_owned(),
        terms: true,
        placed: true,
    }
}

/// How the order came out for one side.
pub(super) struct Flow {
    pub(super) calls: Vec<Exchange>,
    /// Field, what was wanted, what the shop received.
    pub(super) received: Vec<Field>,
}

/// One field of the order.
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) wanted: String,
    pub(super) received: String,
}

impl Field {
    pub(super) fn is_right(&self) -> bool {
        self.wanted == self.received
    }
}

impl Flow {
    pub(super) fn is_right(&self) -> bool {
        self.received.iter().all(Field::is_right)
    }

    /// The fields that came out wrong, in words.
    pub(super) fn wrong(&self) -> Vec<&'static str> {
        self.received.iter().filter(|field| !field.is_right()).map(|field| field.name).collect()
    }
}

/// Places the order and saves a picture of its confirmation, named as a model would name it.
pub(super) async fn place(
    side: &mut Side,
    server: &Server,
    picture: &str,
) -> Result<Flow, DemoError> {
    let run = side.run();
    find_product(side, &server.url(&format!("/shop/{run}/"))).await?;
    fill_cart(side).await?;
    check_out(side).await?;
    side.step("9 Order number");
    side.must(&["get", "text", "#order"]).await?;
    side.step("10 Screenshot");
    side.must(&["screenshot", picture]).await?;
    let received = compared(&wanted(), &server.look(|site| site.order(run)));
    Ok(Flow { calls: side.take_said(), received })
}

async fn find_product(side: &mut Side, shop: &str) -> Result<(), DemoError> {
    side.step("1 Open the shop");
    side.must_lead_on(&["open", shop]).await?;
    let search = side.reference("searchbox", "Search the shop").await?;
    side.step("2 Search");
    side.must(&["fill", &search, "teapot"]).await?;
    side.must_lead_on(&["press", "Enter"]).await?;
    let product = side.reference("link", "Blue teapot").await?;
    side.step("3 Product");
    side.must_lead_on(&["click", &product]).await
}

async fn fill_cart(side: &mut Side) -> Result<(), DemoError> {
    let quantity = side.reference("spinbutton", "Quantity").await?;
    let coupon = side.reference("textbox", "Coupon").await?;
    let apply = side.reference("button", "Apply coupon").await?;
    let add = side.reference("button", "Add to cart").await?;
    side.step("4 Quantity");
    side.must(&["fill", &quantity, "3"]).await?;
    side.step("5 Coupon");
    side.must(&["fill", &coupon, "TEA10"]).await?;
    side.must(&["click", &apply]).await?;
    side.step("6 Cart");
    side.must_lead_on(&["click", &add]).await?;
    let checkout = side.reference("link", "Check out").await?;
    side.must_lead_on(&["click", &checkout]).await
}

async fn check_out(side: &mut Side) -> Result<(), DemoError> {
    let name = side.reference("textbox", "Full name").await?;
    let delivery = side.reference("combobox", "Delivery").await?;
    let terms = side.reference("checkbox", "I accept the terms").await?;
    let place = side.reference("button", "Place order").await?;
    side.step("7 Checkout form");
    side.must(&["fill", &name, "Ada Byron"]).await?;
    side.must(&["select", &delivery, "Express"]).await?;
    // A date field has no ref of its own, only its parts have.
    side.must(&["find", "label", "Delivery date", "fill", "2027-03-15"]).await?;
    side.must(&["check", &terms]).await?;
    side.step("8 Confirm");
    side.must(&["click", &place]).await?;
    side.must_lead_on(&["dialog", "accept"]).await
}

fn compared(wanted: &Order, received: &Order) -> Vec<Field> {
    let shown = |text: &str| if text.is_empty() { "(nothing)".to_owned() } else { text.to_owned() };
    let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let field = |name, wanted: &str, received: &str| Field {
        name,
        wanted: shown(wanted),
        received: shown(received),
    };
    vec![
        field("order placed", &yes(wanted.placed), &yes(received.placed)),
        field("quantity", &wanted.quantity, &received.quantity),
        field("coupon", &wanted.coupon, &received.coupon),
        field("name", &wanted.name, &received.name),
        field("delivery", &wanted.delivery, &received.delivery),
        field("delivery date", &wanted.date, &received.date),
        field("terms accepted", &yes(wanted.terms), &yes(received.terms)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_came_out_wrong_is_named() {
        let without_date = Order { date: String::new(), ..wanted() };
        let flow = Flow { calls: Vec::new(), received: compared(&wanted(), &without_date) };
        assert!(!flow.is_right());
        assert_eq!(flow.wrong(), ["delivery date"]);
        let right = Flow { calls: Vec::new(), received: compared(&wanted(), &wanted()) };
        assert!(right.is_right());
    }
}
