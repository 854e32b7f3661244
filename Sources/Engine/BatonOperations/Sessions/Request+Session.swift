extension Request {
  /// Whether somebody asked for a page; else a page asked for more.
  var isNavigation: Bool { fetchModes.allSatisfy { $0 == "navigate" } }

  /// The first value of a field of the form that was sent.
  func field(_ name: String) -> String? { form?[name]?.first }

  /// What shows that a form is ours; for a script the field `x-csrf-token`.
  var formToken: String { forgeryTokens.first ?? field("csrf") ?? "" }

  /// A link to the requested page.
  var link: Link {
    let asked = (query ?? [:]).sorted { $0.key < $1.key }
    return Link(parts: parts, asking: asked.map { ($0.key, $0.value.first) })
  }

  /// The parts of the path, empty ones left out.
  var parts: [String] { (segments ?? []).filter { !$0.isEmpty } }
}
