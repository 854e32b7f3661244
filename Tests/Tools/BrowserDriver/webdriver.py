"""A browser, driven by its driver's JSON over HTTP: the W3C's WebDriver, as little of it as the tests need."""
import base64, json, shutil, socket, subprocess, time, urllib.error, urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# The driver returns these errors for an element of a page that no longer exists.
GONE = ("stale", "no such element", "does not belong to the document")

# The script finds texts whose contrast is below 4.5 to 1 (WCAG 2.2 AA).
CONTRAST = """
const light = (c) => c.map((v) => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  .reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
const parts = (c) => c.match(/[\\d.]+/g).map(Number);
const behind = (e) => { for (; e; e = e.parentElement) {
  const c = parts(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c.slice(0, 3); }
  return [255, 255, 255]; };
return [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility()
    && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).map((e) => {
  const a = light(parts(getComputedStyle(e).color).slice(0, 3)), b = light(behind(e));
  return [e.outerHTML.slice(0, 80), (Math.max(a, b) + .05) / (Math.min(a, b) + .05)];
}).filter(([, ratio]) => ratio < 4.5);
"""


def install():
    """Installs Debian's browser and its driver if they are missing."""
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        subprocess.run(
            ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium", "chromium-driver",
             "fonts-dejavu-core"], check=True, capture_output=True)


class Driver:
    """The driver's process."""

    def __init__(self, driver="chromedriver"):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [driver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                if self.ask("GET", "/status")["ready"]:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise SystemExit("the browser's driver did not come up")

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data, {"content-type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {json.load(error)['value']['message'].splitlines()[0]}")

    def end(self):
        self.process.terminate()
        self.process.wait()


class Browser:
    """A window of its own, without what another one has stored."""

    def __init__(self, driver, scheme="light", width=1280, height=900, javascript=True):
        self.driver = driver
        options = {
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--hide-scrollbars", f"--window-size={width},{height}"],
            "prefs": {} if javascript else {"profile.managed_default_content_settings.javascript": 2},
        }
        self.session = driver.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})["sessionId"]
        self.tool("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        # A browser window cannot be as narrow as a phone.
        self.tool("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def ask(self, method, path, body=None):
        return self.driver.ask(method, f"/session/{self.session}{path}", body)

    def tool(self, command, parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def end(self):
        self.ask("DELETE", "")

    def go(self, address):
        self.ask("POST", "/url", {"url": address})

    @property
    def address(self):
        return self.ask("GET", "/url")

    @property
    def text(self):
        # While the next page loads, the element does not exist.
        for _ in range(100):
            try:
                return self.ask("GET", f"/element/{self.find('body')}/text")
            except AssertionError as error:
                if not any(words in str(error) for words in GONE):
                    raise
                time.sleep(0.1)
        raise AssertionError("there is no page")

    def find(self, selector):
        using = "xpath" if selector.startswith("/") else "css selector"
        return self.ask("POST", "/element", {"using": using, "value": selector})[ELEMENT]

    def click(self, words):
        """A link or a button by what stands on it."""
        path = f"//main//a[normalize-space()='{words}'] | //main//button[normalize-space()='{words}']"
        self.ask("POST", f"/element/{self.find(path)}/click", {})

    def press(self, selector):
        self.ask("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self.ask("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def until(self, what, test, seconds=30):
        """Waits for what comes soon; a loaded machine may take its time."""
        for _ in range(seconds * 10):
            if test():
                return
            time.sleep(0.1)
        raise AssertionError(f"{what} did not come; at {self.address}:\n{self.text[:2000]}")

    def sees(self, *words, seconds=30):
        self.until(" and ".join(words), lambda: all(word in self.text for word in words), seconds)

    def console(self):
        """What the browser complained about since it was asked last."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The addresses that it asked for since it was asked last."""
        found = []
        for entry in self.ask("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def connect(self, is_connected):
        """Connects the window to the network, or disconnects it, as if a phone had no reception."""
        self.tool("Network.enable", {})
        self.tool("Network.emulateNetworkConditions", {
            "offline": not is_connected, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

    def shot(self, path, whole=True):
        picture = self.tool("Page.captureScreenshot", {"captureBeyondViewport": whole})
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
