import Baton
import Logging

/// Where a session begins and ends.
struct SignIn: Sendable {
  let gate: Gate
  let shell: Shell
  private let tries = Tries()

  init(_ gate: Gate, _ shell: Shell) {
    self.gate = gate
    self.shell = shell
  }

  /// The answer of `/login`; nil where nobody signs in here.
  func answer(_ question: Question) -> Answer? {
    guard let password = gate.password else { return nil }
    let next = Self.place(question.query?["next"]?.first ?? question.field("next"))
    guard question.method == "POST" else { return page(next) }
    if let wait = tries.take() {
      let notice = Notice(text: "Too many tries: again in \(wait) s.", tone: .critical)
      return page(next, status: 429, notice, ["retry-after": "\(wait)"])
    }
    do {
      guard
        let person = try password.person(
          named: question.field("name") ?? "", showing: question.field("password") ?? "")
      else { return page(next, status: 403, Notice(text: "That is wrong.", tone: .critical)) }
      tries.giveAll()
      return .sent(to: next, ["set-cookie": cookie(gate.sessions.begin(for: person), question)])
    } catch {
      gate.logger.warning("nobody is let in: \(error)")
      let notice = Notice(
        text: "The file with the passwords cannot be used; the log says why.", tone: .critical)
      return page(next, status: 503, notice)
    }
  }

  /// Ends the session of whoever asks.
  func end(for visitor: Visitor) -> Answer {
    guard case .person(_, let key) = visitor.kind else { return .sent(to: Place()) }
    gate.sessions.end(key)
    return .sent(
      to: Place("login"),
      ["set-cookie": "\(gate.sessions.cookie)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"])
  }

  /// `Secure` where the browser itself says that it came by TLS: what a proxy says anybody could say.
  private func cookie(_ key: String, _ question: Question) -> String {
    let isSecure = question.origins.first?.hasPrefix("https://") ?? false
    return "\(gate.sessions.cookie)=\(key); Path=/; HttpOnly; SameSite=Strict; "
      + "Max-Age=\(Int(Sessions.longest / .seconds(1)))\(isSecure ? "; Secure" : "")"
  }

  /// Where it goes on: a page of ours and nothing else, however it is written.
  static func place(_ next: String?) -> Place {
    guard let next, next.hasPrefix("/"), next.count < 2_000 else { return Place() }
    let path = next.prefix { $0 != "?" }
    return Question(path: String(path), query: FormText.pairs(next.dropFirst(path.count + 1))).place
  }

  private func page(
    _ next: Place, status: Int = 200, _ notice: Notice? = nil, _ headers: [String: String] = [:]
  ) -> Answer {
    let content = PageContent("Sign in", status: status) {
      tag("section", ["class": "sign-in"]) {
        tag("form", ["method": "post", "action": "/login"]) {
          tag("input", ["type": "hidden", "name": "next", "value": next.text])
          tag("label", ["for": "name"], "Name, where passwords are a person's")
          tag("input", ["id": "name", "name": "name", "autocomplete": "username"])
          tag("label", ["for": "password"], "Password")
          tag(
            "input",
            [
              "id": "password", "name": "password", "type": "password", "required": "",
              "autocomplete": "current-password",
            ])
          tag("button", ["class": "main"], "Sign in")
        }
      }
    }
    let answer = shell.answer(content, at: nil, for: nil, notice: notice, isLive: false)
    return Answer(
      status: answer.status, type: answer.type, body: answer.body,
      headers: answer.headers.merging(headers) { _, new in new })
  }
}
