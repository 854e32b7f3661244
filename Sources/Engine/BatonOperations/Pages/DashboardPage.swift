public import BatonPostgres
import JobRunner

/// A page of the dashboard; a program adds pages of its own with `OperationsServer(pages: [WeeksPage()])`.
public protocol DashboardPage: Sendable {
  /// The first part of its path: `weeks` is answered at `/weeks` and at `/weeks/anything`.
  var name: String { get }
  /// What it is called in the menu.
  var title: String { get }
  /// What it shows.
  ///
  /// The session only reads, as the dashboard's role if the schema has roles. The server ends a statement that takes
  /// longer than two seconds, and the page as a whole is given up after six (``PageReader``).
  ///
  /// - Throws: any error: the page then says "Not seen" and why, and the log has the error itself.
  func content(_ request: PageQuestion, reading session: Session) async throws -> PageContent
}

/// What a page is asked.
public struct PageQuestion: Sendable {
  /// What everybody looks at; nil where it could not be read.
  let observation: Observation?
  /// Whether whoever asks may change something.
  let mayAct: Bool
  /// What stands behind the page's name in the path.
  public let path: [String]
  /// What stands behind the `?`.
  public let query: [String: String]

  /// What is asked under a name; nil where it is nothing or empty.
  public subscript(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
}

/// What a page shows.
public struct PageContent: Sendable {
  let title: String
  let status: Int
  let markup: Markup
  /// What tells that it has changed; nil: it is read again now and then.
  var hears: PageTopic?

  /// What a page shows.
  ///
  /// - Parameters:
  ///   - title: the heading.
  ///   - status: of HTTP: 404 where there is no such thing.
  ///   - hears: what tells that it has changed.
  public init(
    _ title: String, status: Int = 200, hears: PageTopic? = nil,
    @MarkupBuilder _ markup: () -> Markup
  ) {
    self.title = title
    self.status = status
    self.hears = hears
    self.markup = markup()
  }
}

/// What a page looks at, of a feed of its program: it is read again when an event names that.
public struct PageTopic: Sendable, Hashable {
  let feed, name: String

  /// - Parameters:
  ///   - name: as the feed's events have it.
  ///   - feed: ``DashboardFeed/name``.
  public init(_ name: String, of feed: String) { (self.name, self.feed) = (name, feed) }
}
