/// The poll intervals of a hub, and the lifetime of its idle connection.
public struct LiveOptions: Sendable {
  /// The maximum pause between two polls if publishers wake the hub.
  ///
  /// If the wake-up for a change is lost, the hub finds the change after at most `poll`.
  public var poll = Duration.milliseconds(250)
  /// The pause between two polls if publishers do not wake the hub.
  ///
  /// Publishers cannot wake the hub if it connects through a pooler, or if the server allows
  /// prepared transactions.
  public var pollAlone = Duration.milliseconds(50)
  /// The minimum time between the starts of two polls, regardless of the number of wake-ups.
  public var leastPause = Duration.milliseconds(5)
  /// The period in which every viewer's access is checked once.
  ///
  /// Within each `check` period, the hub polls at least four times, and each poll checks some of
  /// the viewers.
  public var check = Duration.seconds(1)
  /// How long the connection remains open after the last observer has left.
  public var linger = Duration.seconds(1)
  /// The maximum duration of one call to a feed.
  ///
  /// After the time limit, the hub cancels the call. The topics of a cancelled call become slow
  /// topics. The hub reads slow topics one by one and at growing intervals, because other topics
  /// wait during each attempt.
  public var timeout = Duration.seconds(2)
  /// The maximum result size of one statement that a feed executes, in bytes.
  ///
  /// If a result for several topics is larger than this size, the hub reads each half of the topics
  /// separately. If the result for one topic is larger than this size, the streams of that topic
  /// end with ``LiveFeed/failure(_:)``.
  public var maximumResultSize = 64 << 20
  /// Whether publishers may wake the hub.
  public var listens = true
  /// A closure that logs errors.
  ///
  /// The hub calls the closure with each error that ends streams, and with the feed's name.
  ///
  /// Observers do not get the error, but the result of ``LiveFeed/failure(_:)``. The hub waits
  /// until the closure returns.
  public var onFailure: (@Sendable (_ feed: String, _ error: any Error) -> Void)?

  /// Creates the default options.
  public init() {}
}
