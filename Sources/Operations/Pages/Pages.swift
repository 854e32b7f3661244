import Baton
import Logging
import Postgres

/// The pages: which of them is asked for, what it reads, what it does.
struct Pages: Sendable {
  let signIn: SignIn
  let shell: Shell
  let trail: Trail
  let look: @Sendable () async -> (Reading, Health)
  let reader: PageReader
  /// Nil: nothing may be done.
  let actions: ActionDesk?
  let logger: Logger
  private let pages: [String: any DashboardPage]
  private let told = Told()

  /// Those of the runner, in the order of the menu.
  private static let own: [any DashboardPage] = [
    JobsPage(), RunsPage(), DeadPage(), SchedulesPage(), WorkersPage(), ServerPage(),
  ]

  init(
    _ gate: Gate, products: [any DashboardPage], trail: Trail, reader: PageReader,
    actions: ActionDesk?, logger: Logger,
    look: @escaping @Sendable () async -> (Reading, Health)
  ) {
    let all = Self.own + products
    pages = Dictionary(all.map { ($0.name, $0) }) { own, _ in own }
    shell = Shell(menu: all.map { ($0.name, $0.title) }, isReadOnly: actions == nil)
    signIn = SignIn(gate, shell)
    (self.trail, self.reader, self.look) = (trail, reader, look)
    (self.actions, self.logger) = (actions, logger)
  }

  /// The answer to what is no page for programs.
  ///
  /// - Parameter visitor: nil: whoever it is, who may see only where a session begins and the look of pages.
  func answer(_ question: Question, for visitor: Visitor?) async -> Answer {
    if let asset = Asset.at(question.path) { return asset.answer }
    if question.path == "/login", let answer = signIn.answer(question) { return answer }
    guard let visitor else { return .refused(404, "there is no such page") }
    guard let path = question.segments, question.query != nil else {
      return .refused(400, "the address cannot be read")
    }
    switch (question.method, path.first ?? "") {
    case ("POST", "logout"): return signIn.end(for: visitor)
    case (let method, "act"): return await act(question, isSure: method == "POST", visitor)
    case ("POST", _): return .refused(405, "only GET, HEAD", ["allow": "GET, HEAD"])
    case (_, ""): return await overview(question, visitor)
    case (_, let name): return await page(name, Array(path.dropFirst()), question, visitor)
    }
  }

  // MARK: What is read

  private func notice(_ question: Question) -> Notice? {
    question.query?["said"]?.first.flatMap { told.take($0) }
  }

  private func overview(_ question: Question, _ visitor: Visitor) async -> Answer {
    let (reading, health) = await look()
    let page = OverviewPage(reading: reading, health: health, past: trail.now)
    return shell.answer(page.content, at: "", for: visitor, notice: notice(question))
  }

  private func page(
    _ name: String, _ path: [String], _ question: Question, _ visitor: Visitor
  ) async -> Answer {
    guard let page = pages[name] else {
      let content = PageContent.missing(
        "There is no such page.", next: link("Overview", to: Place()))
      return shell.answer(content, at: nil, for: visitor, isLive: false)
    }
    let asked = PageQuestion(
      observation: await look().0.observation, mayAct: actions != nil, path: path,
      query: (question.query ?? [:]).compactMapValues(\.first))
    let content = await content(of: page, asked)
    return shell.answer(content, at: name, for: visitor, notice: notice(question))
  }

  private func content(
    of page: any DashboardPage, _ question: PageQuestion
  ) async -> PageContent {
    do {
      return try await reader.read { try await page.content(question, reading: $0) }
    } catch {
      logger.warning("HTTP: the page \(page.name) is not seen: \(error)")
      return .unseen(page.title, because: error)
    }
  }

  // MARK: What is done

  private func act(_ question: Question, isSure: Bool, _ visitor: Visitor) async -> Answer {
    guard let actions else { return .refused(403, "nothing may be changed here") }
    let given = isSure ? question.form : question.query
    guard
      let form = ActionForm(
        question.parts.dropFirst().map { $0 }, (given ?? [:]).compactMapValues(\.first))
    else { return .refused(404, "there is no such action") }
    let page = ActionPage(form: form, visitor: visitor)
    guard isSure else { return shell.answer(page.question, at: nil, for: visitor, isLive: false) }
    do {
      guard let action = try form.action() else { return .refused(400, "something lacks") }
      let result = try await actions.perform(action, by: visitor.name).get()
      guard action.isShown else {
        let id = told.keep(Notice(text: result.text, tone: .good))
        return .sent(to: form.back.asking("said", id))
      }
      return shell.answer(page.result(result), at: nil, for: visitor, isLive: false)
    } catch {
      let notice = Notice(text: Self.words(of: error), tone: .critical)
      return shell.answer(
        page.question.with(status: 409), at: nil, for: visitor, notice: notice, isLive: false)
    }
  }

  private static func words(of error: any Error) -> String {
    switch error {
    case let complaint as Complaint: complaint.sentence
    case let error as PostgresError: "Nothing was done: \(error.message)"
    default: "Nothing was done: \(error)"
    }
  }
}

extension PageContent {
  fileprivate func with(status: Int) -> PageContent {
    PageContent(title, status: status) { markup }
  }

  /// That a page could not be read, and why in words that say nothing of the inside.
  fileprivate static func unseen(_ title: String, because error: any Error) -> PageContent {
    let state = (error as? PostgresError)?.sqlState
    let (why, next) =
      switch error {
      case is PageReader.Late:
        ("The server did not answer in time.", "It is tried again.")
      case _ where state == "42501":
        (
          "This login may not see it.",
          "Run `\(Program.name) migrate` with this binary, or let serve log in as the dashboard's role."
        )
      case _ where state == .queryCanceled:
        (
          "A statement of this page took longer than 2 s and was ended.",
          "Narrow what the page shows, or find on the page Database what keeps the server busy."
        )
      default:
        ("The server cannot be read.", "The log of this process says why. It is tried again.")
      }
    return PageContent(title, status: state == "42501" ? 403 : 503) {
      tag("section") {
        tag("h2", [:], "Not seen")
        tag("p", [:], why)
        tag("p", [:], "Next: \(next)")
      }
    }
  }
}
