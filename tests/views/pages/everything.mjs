// The view of examples/everything, which is as small as a view can be.
import { StrictHost } from "../browser.mjs";

export default {
  async "an author's own page is shown"(setup) {
    const host = await StrictHost.open({ ...setup, url: setup.everything }, 480);
    await host.show({ tool: "test_view", context: { theme: "light" }, isLoading: true });
    await host.sees("1", "64", "81");
    await host.close();
  },
};
