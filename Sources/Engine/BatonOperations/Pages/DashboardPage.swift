public import BatonPostgres
import JobRunner

/// A page of the dashboard; a program adds pages of its own with `OperationsServer(pages: [WeeksPage()])`.
public protocol DashboardPage: Sendable {
  /// The first part of its path: `weeks` is answered at `/weeks` and at `/weeks/anything`.
  var name: String { get }
  /// The title in the menu.
  var title: String { get }
  /// The content of the page.
  ///
  /// The session only reads, as the dashboard's role if the schema has roles. The server ends a statement that takes
  /// longer than two seconds, and the page as a whole is given up after six (``PageReader``).
  ///
  /// - Throws: any error: the page then says "Not seen" and why, and the log has the error itself.
  func content(_ request: PageRequest, reading session: Session) async throws -> PageContent
}

/// The request for a page.
public struct PageRequest: Sendable {
  /// The last shared observation; nil if it could not be read.
  let observation: Observation?
  /// Whether the client may change something.
  let mayAct: Bool
  /// The parts of the path after the page's name.
  public let path: [String]
  /// The fields of the query, after the `?`.
  public let query: [String: String]

  /// The value of a query field; nil if it is missing or empty.
  public subscript(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
}

/// The content of a page.
public struct PageContent: Sendable {
  let title: String
  let status: Int
  let markup: Markup
  /// The topic whose events make the page read again; nil: the page is read again at intervals.
  var hears: PageTopic?

  /// The content of a page.
  ///
  /// - Parameters:
  ///   - title: the heading.
  ///   - status: the HTTP status, for example 404 if the subject of the page does not exist.
  ///   - hears: the topic whose events make the page read again.
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

/// A topic of a feed of the program; a page with this topic is read again when an event names it.
public struct PageTopic: Sendable, Hashable {
  let feed, name: String

  /// - Parameters:
  ///   - name: the name in the feed's events.
  ///   - feed: ``DashboardFeed/name``.
  public init(_ name: String, of feed: String) { (self.name, self.feed) = (name, feed) }
}
