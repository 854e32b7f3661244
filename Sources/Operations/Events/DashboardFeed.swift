public import Baton

/// What a program tells those who look on, beside what everybody is told: `HTTPAnswers(feeds: [BoardFeed()])`.
///
/// Each element is an event of server-sent events at `/events`; a page that hears one is read again.
public protocol DashboardFeed: Sendable {
  /// What its events are called, in letters, digits and `-`: `changed` is known to the pages.
  var name: String { get }

  /// What is told, each one line of JSON, until the task that listens is cancelled.
  ///
  /// Called when somebody comes to look and nobody did before. It ends for good where it has nothing more to tell, and
  /// what it opens it closes when it is cancelled.
  func events(of subject: HTTPSubject) -> AsyncStream<String>
}
