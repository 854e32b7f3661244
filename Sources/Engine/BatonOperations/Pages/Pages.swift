import Baton
import BatonPostgres
import Logging

/// The handler for all pages, which routes each request to its page, reads the data, and performs
/// actions.
struct Pages: Sendable {
  let signIn: SignIn
  let shell: Shell
  let history: ReadingHistory
  let read: @Sendable () async -> (Reading, Health)
  let reader: PageReader
  /// The handlers of actions, or nil if the server is read-only.
  let actions: ActionHandlers?
  let logger: Logger
  private let pages: [String: any DashboardPage]
  private let flash = Flash()

  /// Baton's own pages, in the order of the menu.
  private static let own: [any DashboardPage] = [
    JobsPage(), RunsPage(), DeadPage(), SchedulesPage(), WorkersPage(), ServerPage(),
  ]

  init(
    _ middleware: AccessMiddleware, products: [any DashboardPage], history: ReadingHistory,
    reader: PageReader,
    actions: ActionHandlers?, logger: Logger,
    read: @escaping @Sendable () async -> (Reading, Health)
  ) {
    let all = Self.own + products
    pages = Dictionary(all.map { ($0.name, $0) }) { own, _ in own }
    shell = Shell(menu: all.map { ($0.name, $0.title) }, isReadOnly: actions == nil)
    signIn = SignIn(middleware, shell)
    (self.history, self.reader, self.read) = (history, reader, read)
    (self.actions, self.logger) = (actions, logger)
  }

  /// Returns the response to a request for a page, an asset or an action.
  ///
  /// - Parameter principal: the authenticated client, or nil for a client that gets only the login
  ///   page and the assets.
  func response(to request: Request, for principal: Principal?) async -> Response {
    if let asset = Asset.at(request.path) { return asset.response }
    if request.path == "/login", let response = await signIn.response(to: request) {
      return response
    }
    guard let principal else {
      return .refused(404, "the page does not exist", at: "the path", next: "Open the path /login.")
    }
    guard let path = request.segments, request.query != nil else {
      return .refused(
        400, "the address cannot be read", at: "the path or the query", next: "Open the path /.")
    }
    switch (request.method, path.first ?? "") {
    case ("POST", "logout"): return signIn.end(for: principal)
    case (let method, "act"): return await act(request, isSure: method == "POST", principal)
    case ("POST", _):
      return .refused(
        405, "only GET, HEAD", at: "the method", next: "Send a GET request.",
        ["allow": "GET, HEAD"])
    case (_, ""): return await overview(request, principal)
    case (_, let name): return await page(name, Array(path.dropFirst()), request, principal)
    }
  }

  // MARK: Reading

  private func notice(_ request: Request) -> Notice? {
    request.query?["said"]?.first.flatMap { flash.take($0) }
  }

  private func overview(_ request: Request, _ principal: Principal) async -> Response {
    let (reading, health) = await read()
    let page = OverviewPage(reading: reading, health: health, past: history.now)
    return shell.response(page.content, at: "", for: principal, notice: notice(request))
  }

  private func page(
    _ name: String, _ path: [String], _ request: Request, _ principal: Principal
  ) async -> Response {
    guard let page = pages[name] else {
      let content = PageContent.missing(
        "There is no such page.", next: link("Overview", to: Link()))
      return shell.response(content, at: nil, for: principal, isLive: false)
    }
    let asked = PageRequest(
      observation: await read().0.observation, mayAct: actions != nil, path: path,
      query: (request.query ?? [:]).compactMapValues(\.first))
    let content = await content(of: page, asked)
    return shell.response(content, at: name, for: principal, notice: notice(request))
  }

  private func content(
    of page: any DashboardPage, _ request: PageRequest
  ) async -> PageContent {
    do {
      return try await reader.read { try await page.content(request, reading: $0) }
    } catch {
      logger.warning("HTTP: cannot read the page \(page.name): \(error)")
      return .unseen(page.title, because: error)
    }
  }

  // MARK: Actions

  private func act(_ request: Request, isSure: Bool, _ principal: Principal) async -> Response {
    guard let actions else {
      return .refused(
        403, "this server is read-only", at: "the option --http-read-only",
        next: "Use a server without this option, or a command.")
    }
    let given = isSure ? request.form : request.query
    guard
      let form = ActionForm(
        request.parts.dropFirst().map { $0 }, (given ?? [:]).compactMapValues(\.first))
    else {
      return .refused(
        404, "the action does not exist", at: "the path", next: "Open the page again.")
    }
    let page = ActionPage(form: form, principal: principal)
    guard isSure else {
      return shell.response(page.confirmation, at: nil, for: principal, isLive: false)
    }
    do {
      guard let action = try form.action() else {
        return .refused(
          400, "a field is missing", at: "the form",
          next: "Open the page again, and repeat the action.")
      }
      let result = try await actions.perform(action, by: principal.name).get()
      guard action.isShown else {
        let id = flash.keep(Notice(text: result.text, tone: .good))
        return .sent(to: form.back.asking("said", id))
      }
      return shell.response(page.result(result), at: nil, for: principal, isLive: false)
    } catch {
      let notice = Notice(text: Complaint(ofAction: error).sentence, tone: .critical)
      let status = error is InvalidField ? 400 : 409
      return shell.response(
        page.confirmation.with(status: status), at: nil, for: principal, notice: notice,
        isLive: false)
    }
  }
}

extension PageContent {
  fileprivate func with(status: Int) -> PageContent {
    PageContent(title, status: status) { markup }
  }

  /// Returns the content for a page that could not be read, with a reason that does not reveal any
  /// internals.
  fileprivate static func unseen(_ title: String, because error: any Error) -> PageContent {
    let state = (error as? PostgresError)?.sqlState
    let (why, next) =
      switch error {
      case is PageReader.Late:
        ("The server did not answer in time.", "The page tries again.")
      case _ where state == "42501":
        (
          "This login may not read the data.",
          "Run \(Program.migrate), or let serve log in as the dashboard's role."
        )
      case _ where state == .queryCanceled:
        (
          "A statement of this page took longer than 2 s and was cancelled.",
          "Filter the page, or check the page Database for the load of the server."
        )
      default:
        (
          "The server cannot be read.",
          "The log of this process contains the reason. The page tries again."
        )
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
