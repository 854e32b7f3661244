extension Request {
  /// Whether the request is a user's navigation to a page, and was not sent by a script.
  var isNavigation: Bool { fetchModes.allSatisfy { $0 == "navigate" } }

  /// Returns the first value of a field in the submitted form.
  func field(_ name: String) -> String? { form?[name]?.first }

  /// The CSRF token in the form or in the `x-csrf-token` header.
  var formToken: String { forgeryTokens.first ?? field("csrf") ?? "" }

  /// The link to the requested page.
  var link: Link {
    let asked = (query ?? [:]).sorted { $0.key < $1.key }
    return Link(parts: parts, asking: asked.map { ($0.key, $0.value.first) })
  }

  /// The segments of the path, excluding empty segments.
  var parts: [String] { (segments ?? []).filter { !$0.isEmpty } }
}
