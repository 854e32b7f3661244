import Baton

/// What stands around each page: the menu, who is signed in, what has to be known before anything is read.
struct Shell: Sendable {
  /// The pages in the order of the menu, by name; the overview has none.
  let menu: [(name: String, title: String)]
  let isReadOnly: Bool

  /// A whole page.
  ///
  /// - Parameters:
  ///   - current: the page's name in the menu.
  ///   - notice: what has just been done, or why it was not.
  func answer(
    _ content: PageContent, at current: String?, for visitor: Visitor?, notice: Notice? = nil,
    isLive: Bool = true
  ) -> Answer {
    let html = Markup.document(
      tag("html", ["lang": "en"]) {
        head(content.title)
        tag("body", ["data-events": isLive ? Self.events : nil]) {
          tag("a", ["class": "skip", "href": "#main"], "To the content")
          top(current, visitor)
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
    return Answer(status: content.status, type: Self.type, body: html, headers: Self.headers)
  }

  /// Where a page hears that something has changed.
  private static let events = "/events"

  private static let type = "text/html; charset=utf-8"

  /// A page may show what is here and send forms here; nothing of it comes from elsewhere or stands in it.
  ///
  /// With no referrer at all a browser would say `Origin: null` of a form.
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

  private func top(_ current: String?, _ visitor: Visitor?) -> Markup {
    tag("header") {
      tag("a", ["class": "brand", "href": "/"], Program.name)
      if visitor != nil {
        tag("nav", ["aria-label": "Pages"]) {
          tag("ul") {
            entry("", "Overview", current)
            menu.map { entry($0.name, $0.title, current) }
          }
        }
        tag("div", ["class": "who"]) {
          if isReadOnly { badge("read-only") }
          visitor.map(who)
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

  private func who(_ visitor: Visitor) -> Markup {
    guard case .person(let name, _) = visitor.kind else { return Markup() }
    return form(Place("logout"), visitor) {
      tag("span", ["class": "name"], name)
      tag("button", ["class": "quiet"], "Sign out")
    }
  }
}

/// What stands above a page once.
struct Notice: Sendable {
  let text: String
  let tone: Tone

  var markup: Markup {
    tag("p", ["class": "notice \(tone.rawValue)", "role": "status"], text)
  }
}

/// A form that changes something: it holds what shows that it is ours.
func form(_ place: Place, _ visitor: Visitor, @MarkupBuilder _ content: () -> Markup) -> Markup {
  tag("form", ["method": "post", "action": place.text]) {
    if let token = visitor.formToken {
      tag("input", ["type": "hidden", "name": "csrf", "value": token.text])
    }
    content()
  }
}
