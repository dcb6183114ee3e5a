import { createApp } from "vue/dist/vue.esm-bundler.js";

createApp({
  data: () => ({
    guest: "", nights: 1, arrival: "", voucher: "", board: "None", view: "", pets: false,
    shown: false, extras: [], busy: false, said: "", rooms: [],
  }),
  watch: {
    // A rule that takes a value back.
    voucher(value) {
      if (value && !value.startsWith("V-")) this.voucher = "";
    },
  },
  methods: {
    async search() {
      this.busy = true;
      const answer = await fetch("/api/rooms");
      this.rooms = (await answer.text()).split(",");
      this.said = `${this.rooms.length} rooms found`;
      this.busy = false;
    },
  },
}).mount("#app");
