/// How often a hub looks.
public struct LiveOptions: Sendable {
  /// The pause between two polls without a wake-up, if publishers wake the hub: a change whose wake-up was lost is seen
  /// after this time at most.
  public var poll = Duration.milliseconds(250)
  /// The same where they do not: behind a pooler, or where transactions may be prepared.
  public var pollAlone = Duration.milliseconds(50)
  /// The shortest time between the beginnings of two polls, however many wake-ups arrive.
  public var leastPause = Duration.milliseconds(5)
  /// How long it takes until every viewer was asked about once more, some of them with each look; they are four
  /// in that time at least.
  public var check = Duration.seconds(1)
  /// How long the connection stays when the last observer has gone.
  public var linger = Duration.seconds(1)
  /// Whether publishers may wake the hub at all.
  public var listens = true
  /// Gets each error that ends streams, with the name of their feed, so that the program can log it.
  ///
  /// Observers get what ``LiveFeed/failure(_:)`` makes of it. The hub waits until it returns.
  public var onFailure: (@Sendable (_ feed: String, _ error: any Error) -> Void)?

  /// The usual ones.
  public init() {}
}
