public import Baton

/// A stream of a program's own events for its dashboard pages.
///
/// `OperationsServer(feeds: [BoardFeed()])` adds a feed. Each element of the feed is sent as a
/// server-sent event at `/events`. If a page's ``PageContent/hears`` contains one of the feed's
/// topics, an event with this topic makes the browser reload the page.
public protocol DashboardFeed: Sendable {
  /// The name of the feed's events, which consists of letters, digits and `-`.
  var name: String { get }

  /// Returns a stream of events.
  ///
  /// Each event is a line of JSON with the list of changed topics. For each feed, the server sends
  /// at most 50 events per second, and does not send events larger than 256 KiB.
  ///
  /// The server calls this method when the first listener connects, and cancels the stream when no
  /// listeners remain. A cancelled stream must close the connections that it opened. If the stream
  /// ends before the server cancels it, the server calls this method again only after all listeners
  /// have disconnected and a new listener connects.
  ///
  /// A connection opened with `subject.configuration` is read-only, and the server cancels
  /// statements that take longer than two seconds.
  ///
  /// - Parameter topics: returns the current topics of all listeners, without duplicates. Topics
  ///   are compared byte by byte, because `String` treats two Unicode spellings of a letter as
  ///   equal.
  func events(
    of subject: HTTPSubject, about topics: @escaping @Sendable () -> [String]
  ) -> AsyncStream<String>
}
