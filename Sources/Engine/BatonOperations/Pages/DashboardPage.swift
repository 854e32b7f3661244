public import BatonPostgres
import JobRunner

/// A page of the dashboard, which a program can add with `OperationsServer(pages: [WeeksPage()])`.
public protocol DashboardPage: Sendable {
  /// The first segment of the page's path.
  ///
  /// A page named `weeks` is served at `/weeks` and at all paths below `/weeks`.
  var name: String { get }
  /// The title in the menu.
  var title: String { get }
  /// Returns the page's content.
  ///
  /// The session is read-only. If the schema has roles, the session uses the dashboard's role. The
  /// server cancels statements that take longer than two seconds. If the page is not complete after
  /// six seconds, the page fails with an error (see ``PageReader``).
  ///
  /// - Throws: any error. After an error, the page shows "Not seen" and the reason, and the server
  ///   logs the error.
  func content(_ request: PageRequest, reading session: Session) async throws -> PageContent
}

/// The request for a page.
public struct PageRequest: Sendable {
  /// The state of the queue, shared by all requests, or nil if the state could not be read.
  let observation: Observation?
  /// Whether the client may perform actions.
  let mayAct: Bool
  /// The segments of the path after the page's name.
  public let path: [String]
  /// The fields of the query, after the `?`.
  public let query: [String: String]

  /// The value of a query field, or nil if the field is missing or empty.
  public subscript(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
}

/// The content of a page.
public struct PageContent: Sendable {
  let title: String
  let status: Int
  let markup: Markup
  /// The topic whose events make the browser reload the page, or nil if the page is reloaded at
  /// intervals.
  var hears: PageTopic?

  /// Creates a page's content.
  ///
  /// - Parameters:
  ///   - title: the heading.
  ///   - status: the HTTP status, for example 404 if the object that the page describes does not
  ///     exist.
  ///   - hears: the topic whose events make the browser reload the page, or nil.
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

/// A topic of a dashboard feed that a page can follow.
///
/// If a page has this topic, an event with the topic makes the browser reload the page.
public struct PageTopic: Sendable, Hashable {
  let feed, name: String

  /// Creates a topic.
  ///
  /// - Parameters:
  ///   - name: the name of the topic in the feed's events.
  ///   - feed: the ``DashboardFeed/name`` of the feed.
  public init(_ name: String, of feed: String) { (self.name, self.feed) = (name, feed) }
}
