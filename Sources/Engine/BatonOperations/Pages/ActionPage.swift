import Baton

/// The page that asks for confirmation of an action, and the page that shows its result.
struct ActionPage {
  let form: ActionForm
  let principal: Principal

  /// The page that asks the user to confirm the action.
  var confirmation: PageContent {
    PageContent(form.confirmation) {
      tag("section") {
        tag("p", [:], form.meaning)
        send(form, inputs: true)
      }
    }
  }

  /// Returns the page with an action's result.
  ///
  /// After a dry run, the page has a button that performs the action.
  func result(_ result: ActionResult) -> PageContent {
    PageContent(title) {
      section("Result") {
        tag("p", [:], result.text)
        changes(result)
        occurrences(result)
        report(result)
        (result.payloads ?? []).map { tag("pre", [:], $0) }
      }
      shown("Before", result.before)
      shown("After", result.after)
      tag("section") { next(result) }
    }
  }

  private var title: String {
    switch form.kind {
    case .dryRun: "What would change"
    case .payload: "Payload of run \(form.fields["run"] ?? "")"
    default: "What would be fired"
    }
  }

  private func next(_ result: ActionResult) -> Markup {
    var fields = form.fields
    switch form.kind {
    case .payload:
      guard result.isDead == true else { return back }
      fields["payload"] = (result.payloads ?? []).count == 1 ? result.payloads?.first : nil
      fields["run"] = result.run.map { "\($0)" }
      guard FormText.length(of: fields["payload"] ?? "") <= Self.longestPayload else {
        return tag("p", [:], tooLong(fields["run"] ?? "")) + back
      }
      let edit = ActionForm(.retryEdited, fields)
      return tag("p", [:], edit.meaning) + send(edit, inputs: true)
    case .backfill:
      guard result.count > 0 else { return back }
      fields["sure"] = "yes"
      return send(ActionForm(.backfill, fields), inputs: false)
    default: return send(ActionForm(.run, fields), inputs: false)
    }
  }

  /// The maximum length of a payload in a submitted form, without the form's other fields.
  private static let longestPayload = Request.longestBody - 256

  private func tooLong(_ run: String) -> String {
    "The payload is too long for a form. To retry the run with another payload, use "
      + "`\(Program.name) runs retry \(run) --payload JSON`."
  }

  private var back: Markup {
    tag("p", ["class": "actions"]) {
      tag("a", ["class": "button", "href": form.back.text], "Back")
    }
  }

  /// Returns the form that performs the action.
  private func send(_ form: ActionForm, inputs: Bool) -> Markup {
    let asked = inputs ? Self.asked[form.kind] ?? [] : []
    let hidden = form.fields.filter { field in !asked.contains { $0.name == field.key } }
    return BatonOperations.form(Link("act", form.kind.rawValue), principal) {
      hidden.sorted { $0.key < $1.key }.map { name, value in
        tag("input", ["type": "hidden", "name": name, "value": value])
      }
      asked.map { input($0, form.fields[$0.name]) }
      tag("p", ["class": "actions"]) {
        tag("button", ["class": form.isGrave ? "grave" : "main"], form.button)
        tag("a", ["class": "button", "href": form.back.text], "Back")
      }
    }
  }

  private struct Input {
    let name: String
    let title: String
    var type = "text"
  }

  private static let asked: [ActionForm.Kind: [Input]] = [
    .run: [Input(name: "key", title: "Key (optional)")],
    .dryRun: [Input(name: "key", title: "Key (optional)")],
    .retryEdited: [Input(name: "payload", title: "Payload, as JSON", type: "textarea")],
    .backfill: [
      Input(name: "from", title: "From, UTC", type: "datetime-local"),
      Input(name: "to", title: "To, UTC, exclusive", type: "datetime-local"),
    ],
  ]

  private func input(_ input: Input, _ value: String?) -> Markup {
    tag("p") {
      tag("label", ["for": input.name], input.title)
      input.type == "textarea" ? area(input, value) : line(input, value)
    }
  }

  private func area(_ input: Input, _ value: String?) -> Markup {
    tag(
      "textarea",
      [
        "id": input.name, "name": input.name, "rows": "12", "autocomplete": "off",
        "spellcheck": "false", "required": "",
      ], value ?? "")
  }

  private func line(_ input: Input, _ value: String?) -> Markup {
    tag(
      "input",
      [
        "id": input.name, "name": input.name, "type": input.type, "value": value,
        "autocomplete": "off", "required": input.type == "text" ? nil : "",
      ])
  }

  // MARK: Result of a dry run

  private func changes(_ result: ActionResult) -> Markup {
    guard let changes = result.changes else { return Markup() }
    var table = PageTable(
      "Changes", .text("Table"), .number("Inserted"), .number("Updated"),
      .number("Deleted"))
    for change in changes {
      table.add(
        Markup(change.table), Markup("\(change.inserted)"), Markup("\(change.updated)"),
        Markup("\(change.deleted)"))
    }
    return table.markup(orElse: "No rows would be written.")
  }

  private func occurrences(_ result: ActionResult) -> Markup {
    guard let occurrences = result.occurrences, !occurrences.isEmpty else { return Markup() }
    return tag("ol") { occurrences.map { tag("li", [:], $0) } }
  }

  private func report(_ result: ActionResult) -> Markup {
    facts((result.report ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, Markup("\($0.value)")) })
  }

  private func shown(_ title: String, _ text: String?) -> Markup {
    guard let text else { return Markup() }
    return section(title) { tag("pre", [:], text) }
  }
}
