extension Request {
  /// Whether a person navigates to a page; otherwise a script of a page sends the request.
  var isNavigation: Bool { fetchModes.allSatisfy { $0 == "navigate" } }

  /// The first value of a field of the submitted form.
  func field(_ name: String) -> String? { form?[name]?.first }

  /// The CSRF token of a form, or of a script's header `x-csrf-token`.
  var formToken: String { forgeryTokens.first ?? field("csrf") ?? "" }

  /// A link to the requested page.
  var link: Link {
    let asked = (query ?? [:]).sorted { $0.key < $1.key }
    return Link(parts: parts, asking: asked.map { ($0.key, $0.value.first) })
  }

  /// The parts of the path, empty ones left out.
  var parts: [String] { (segments ?? []).filter { !$0.isEmpty } }
}
