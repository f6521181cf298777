// A slider beside each number that says data-slider="low,high,step". The number stays what is sent.
(() => {
  "use strict";

  function addSliders(within) {
    for (const number of within.querySelectorAll("input[data-slider]:not([data-slider-ready])")) {
      const [low, high, step] = number.dataset.slider.split(",");
      const slider = document.createElement("input");
      Object.assign(slider, { type: "range", min: low, max: high, step, value: number.value });
      slider.setAttribute("aria-label", document.querySelector(`label[for="${number.id}"]`)?.textContent ?? "");
      slider.addEventListener("input", () => {
        number.value = slider.value;
      });
      number.addEventListener("input", () => {
        slider.value = number.value;
      });
      number.dataset.sliderReady = "";
      number.after(slider);
    }
  }

  addSliders(document);
  document.addEventListener("htmx:afterSettle", (event) => addSliders(event.target));
})();
