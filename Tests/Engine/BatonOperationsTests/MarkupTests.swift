import Testing

@testable import BatonOperations

/// Any text in a page stays text, even if it contains markup.
@Suite struct MarkupTests {
  private static let evil = #"<script>alert('1')</script>" onload="x" & <!-- "#

  @Test func `a text ends no element and no attribute`() {
    let html = tag("p", ["title": Self.evil]) { Self.evil }.html
    #expect(html.hasPrefix(#"<p title="&lt;script&gt;"#))
    // The page contains only its own markup.
    #expect(html.count { $0 == "<" } == 2 && html.count { $0 == ">" } == 2)
    #expect(html.count { $0 == "\"" } == 2 && !html.contains("'"))
  }

  @Test func `what a reader cannot see does not come into a page`() {
    let html = Markup("a\u{0}b\u{1b}[31mc\u{202e}d\u{2066}e\r\n\tf\u{85}g").html
    #expect(
      html
        == "a\u{fffd}b\u{fffd}[31mc\u{fffd}d\u{fffd}e\u{fffd}\n\tfg".replacing(
          "fg", with: "f\u{fffd}g"))
  }

  @Test func `an attribute without a value is left out`() {
    #expect(tag("input", ["name": "a", "value": nil]).html == #"<input name="a">"#)
    #expect(tag("p").html == "<p></p>")
  }

  @Test func `a link leads to a page of ours, whatever its parts hold`() {
    let place = Link(
      "runs", "../x?y#z/", asking: ["key": "a&b=c d+é\"<", "job": nil, "state": ""])
    #expect(place.text == "/runs/..%2Fx%3Fy%23z%2F?key=a%26b%3Dc%20d%2B%C3%A9%22%3C")
    #expect(Link("act", asking: ["a": "1"]).asking("said", "x").text == "/act?a=1&said=x")
    #expect(link("a<b", to: Link("x")).html == #"<a href="/x">a&lt;b</a>"#)
  }

  @Test func `what the pages take is there under its hash, to be kept for long`() throws {
    for asset in [Asset.style, Asset.script, Asset.icon] {
      let found = try #require(Asset.at(asset.path))
      #expect(found.response.status == 200 && !found.response.body.isEmpty)
      #expect(found.response.headers["cache-control"] == "public, max-age=31536000, immutable")
      // The page loads nothing from other servers.
      #expect(
        !found.response.body.replacing("http://www.w3.org/2000/svg", with: "").contains("//")
          || asset.path.hasSuffix(".js"))
      #expect(!found.response.body.contains("https:"))
    }
    #expect(Asset.at("/assets/baton.css") == nil)
  }
}
