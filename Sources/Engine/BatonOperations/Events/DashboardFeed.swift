public import Baton

/// A stream of a program's events for its dashboard, in addition to those of the runner.
///
/// `OperationsServer(feeds: [BoardFeed()])` adds it. Each element is an event of server-sent events at `/events`. A
/// page that ``PageContent/hears`` the feed is read again when an event names its topic.
public protocol DashboardFeed: Sendable {
  /// The name of its events, in letters, digits and `-`.
  var name: String { get }

  /// The events, until the task that listens is cancelled: each is a line of JSON, the list of topics that have
  /// changed.
  ///
  /// Called when the first listener connects. If the stream ends by itself, it is started again only after all
  /// listeners have disconnected. When it is cancelled, it must close the connections that it has opened.
  ///
  /// A connection that it opens with `subject.configuration` only reads, and the server ends a statement that takes
  /// longer than two seconds.
  ///
  /// - Parameter topics: the topics of all listeners at this moment.
  func events(
    of subject: HTTPSubject, about topics: @escaping @Sendable () -> Set<String>
  ) -> AsyncStream<String>
}
