public import Baton

/// A stream of events of a program for its dashboard, besides those of the runner: `OperationsServer(feeds: [BoardFeed()])`.
///
/// Each element is an event of server-sent events at `/events`. A page that ``PageContent/hears`` the feed is read again
/// when an event names its topic.
public protocol DashboardFeed: Sendable {
  /// What its events are called, in letters, digits and `-`.
  var name: String { get }

  /// What is told, until the task that listens is cancelled: each a line of JSON, the list of topics that have changed.
  ///
  /// Called when somebody comes to look and nobody did before. It ends for good where it has nothing more to tell, and
  /// what it opens it closes when it is cancelled.
  ///
  /// A connection that it opens with `subject.configuration` only reads, and the server ends a statement that takes
  /// longer than two seconds.
  ///
  /// - Parameter topics: what those who listen look at, at this moment.
  func events(
    of subject: HTTPSubject, about topics: @escaping @Sendable () -> Set<String>
  ) -> AsyncStream<String>
}
