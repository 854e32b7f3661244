import Baton

/// The layout of each page, with the menu, the signed-in user and the server's state.
struct Shell: Sendable {
  /// The names and titles of the pages, in the order of the menu.
  ///
  /// The overview has an empty name.
  let menu: [(name: String, title: String)]
  let isReadOnly: Bool

  /// Returns the response with a complete page.
  ///
  /// - Parameters:
  ///   - current: the page's name in the menu.
  ///   - notice: the last action's result.
  func response(
    _ content: PageContent, at current: String?, for principal: Principal?, notice: Notice? = nil,
    isLive: Bool = true
  ) -> Response {
    let html = Markup.document(
      tag("html", ["lang": "en"]) {
        head(content.title)
        tag("body", ["data-events": isLive ? Self.events : nil]) {
          tag("a", ["class": "skip", "href": "#main"], "To the content")
          top(current, principal)
          tag("div", ["id": "away", "class": "notice critical", "role": "status", "hidden": ""])
          tag("main", ["id": "main", "tabindex": "-1"]) {
            tag("h1", [:], content.title)
            notice?.markup
            tag(
              "div",
              [
                "id": "content", "data-live": isLive ? "" : nil, "data-feed": content.hears?.feed,
                "data-topic": content.hears?.name,
              ]
            ) { content.markup }
          }
        }
      })
    return Response(status: content.status, type: Self.type, body: html, headers: Self.headers)
  }

  /// The path of the event stream that makes the browser reload a page.
  private static let events = "/events"

  private static let type = "text/html; charset=utf-8"

  /// The HTTP headers of each page's response.
  ///
  /// The headers allow only resources and forms from this server, and forbid inline scripts and
  /// styles.
  ///
  /// The referrer policy is not `no-referrer`, because `no-referrer` makes a browser send `Origin:
  /// null` with a form.
  static let headers = [
    "content-security-policy":
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
      + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "same-origin", "cross-origin-opener-policy": "same-origin",
  ]

  private func head(_ title: String) -> Markup {
    tag("head") {
      tag("meta", ["charset": "utf-8"])
      tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      tag("meta", ["name": "color-scheme", "content": "light dark"])
      tag("title", [:], "\(title) · \(Program.name)")
      tag("link", ["rel": "icon", "href": Asset.icon.path, "type": "image/svg+xml"])
      tag("link", ["rel": "stylesheet", "href": Asset.style.path])
      tag("script", ["src": Asset.script.path, "defer": ""])
    }
  }

  private func top(_ current: String?, _ principal: Principal?) -> Markup {
    tag("header") {
      tag("a", ["class": "brand", "href": "/"], Program.name)
      if principal != nil {
        tag("nav", ["aria-label": "Pages"]) {
          tag("ul") {
            entry("", "Overview", current)
            menu.map { entry($0.name, $0.title, current) }
          }
        }
        tag("div", ["class": "who"]) {
          if isReadOnly { badge("read-only") }
          principal.map(who)
        }
      }
    }
  }

  private func entry(_ name: String, _ title: String, _ current: String?) -> Markup {
    tag("li") {
      tag(
        "a", ["href": "/" + name, "aria-current": name == current ? "page" : nil], title)
    }
  }

  private func who(_ principal: Principal) -> Markup {
    guard case .person(let name, _) = principal.kind else { return Markup() }
    return form(Link("logout"), principal) {
      tag("span", ["class": "name"], name)
      tag("button", ["class": "quiet"], "Sign out")
    }
  }
}

/// A message that a page shows once.
struct Notice: Sendable {
  let text: String
  let tone: Tone

  var markup: Markup {
    tag("p", ["class": "notice \(tone.rawValue)", "role": "status"], text)
  }
}

/// Returns a form that requests a change, with the principal's CSRF token.
func form(_ target: Link, _ principal: Principal, @MarkupBuilder _ content: () -> Markup) -> Markup
{
  tag("form", ["method": "post", "action": target.text]) {
    if let token = principal.formToken {
      tag("input", ["type": "hidden", "name": "csrf", "value": token.text])
    }
    content()
  }
}
