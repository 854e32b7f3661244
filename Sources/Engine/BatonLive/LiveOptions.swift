/// How often a hub polls, and how long it keeps its connection.
public struct LiveOptions: Sendable {
  /// The pause between two polls without a wake-up, if publishers wake the hub.
  ///
  /// A change whose wake-up was lost is found after at most this time.
  public var poll = Duration.milliseconds(250)
  /// The same if publishers do not wake the hub: with a pooler, or where transactions may be prepared.
  public var pollAlone = Duration.milliseconds(50)
  /// The shortest time between the beginnings of two polls, however many wake-ups arrive.
  public var leastPause = Duration.milliseconds(5)
  /// The time in which the access of every viewer is checked once; each poll checks some of them.
  ///
  /// There are at least four polls in this time.
  public var check = Duration.seconds(1)
  /// How long the connection stays open after the last observer has gone.
  public var linger = Duration.seconds(1)
  /// Whether publishers may wake the hub.
  public var listens = true
  /// Called with each error that ends streams, and with the name of their feed, so that the program can log it.
  ///
  /// Observers get the result of ``LiveFeed/failure(_:)``. The hub waits until the call returns.
  public var onFailure: (@Sendable (_ feed: String, _ error: any Error) -> Void)?

  /// Creates the default options.
  public init() {}
}
