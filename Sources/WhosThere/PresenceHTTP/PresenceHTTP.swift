public import Foundation
public import Presence
public import ProductHTTP

/// Stores the token of this device's session.
///
/// On Apple platforms, an app stores the token in the keychain.
public protocol SessionStore: Sendable {
  /// Returns the token, or nil if no user is signed in.
  func token() async throws -> String?
  /// Replaces the token, or removes it if the argument is nil.
  func replace(with token: String?) async throws
}

/// Stores a session token in memory, for tests.
public actor MemorySession: SessionStore {
  private var current: String?

  /// Creates a store, by default without a token.
  public init(_ token: String? = nil) { current = token }

  /// Returns the token.
  public func token() -> String? { current }

  /// Replaces the token.
  public func replace(with token: String?) { current = token }
}

/// The Who's There HTTP API, as repositories.
///
/// ```swift
/// let whosThere = PresenceHTTP(to: address, session: keychain, device: "Ana's phone")
/// let user = try await whosThere.auth.signIn(.anonymous(secret: secret))
/// let ana = whosThere.repositories(for: user.id)
/// let groups = try await ana.groups.joinedGroups()
/// ```
///
/// A rejected call throws an `AppError`. If no response arrives, if the task was cancelled, or if
/// the server is too busy, the call throws `AppError.networkUnavailable`. If the response to a
/// failed call contains no known error, the call throws `AppError.serverError`, which contains an
/// `UnexpectedResponse`.
public struct PresenceHTTP: Sendable {
  /// The repository for signing in and out on this device.
  public let auth: any AuthRepository
  private let connection: ServerConnection

  /// Creates an HTTP API client for one device.
  ///
  /// - Parameters:
  ///   - address: the server's address, without `/v1`, such as `https://api.example.com`.
  ///   - transport: the transport for requests.
  ///   - session: the store for the session token.
  ///   - device: the device's name, 1 to 100 characters long.
  ///   - timeout: the time limit for a call.
  ///   - pause: the time between two polls of a resource if the server offers no streams.
  public init(
    to address: URL, transport: any HTTPTransport, session: any SessionStore, device: String,
    timeout: Duration = ServerConnection.defaultTimeout,
    pause: Duration = ServerConnection.defaultPause
  ) {
    connection = ServerConnection(
      to: address, transport: transport, timeout: timeout, pause: pause
    ) { _ in try await session.token() }
    auth = HTTPAuth(connection: connection, session: session, device: device)
  }

  #if canImport(Darwin)
    /// Creates an HTTP API client for one device, based on `URLSession`.
    public init(to address: URL, session: any SessionStore, device: String) {
      self.init(to: address, transport: URLSessionTransport(), session: session, device: device)
    }
  #elseif HTTP
    /// Creates an HTTP API client for one device, based on AsyncHTTPClient.
    public init(to address: URL, session: any SessionStore, device: String) {
      self.init(to: address, transport: AsyncHTTPTransport(), session: session, device: device)
    }
  #endif

  /// Returns the repositories of the user who is signed in on the device.
  ///
  /// If the id is nil, the method returns the repositories for a device on which no user is signed
  /// in. If no user is signed in, all calls except sign-in throw `notAuthenticated` without sending
  /// a request.
  public func repositories(for userId: String?) -> ActorRepositories {
    let calls = HTTPCalls(connection: connection, actor: userId)
    return ActorRepositories(
      auth: auth, users: HTTPUsers(calls: calls), groups: HTTPGroups(calls: calls),
      presences: HTTPPresences(calls: calls), chat: HTTPChat(calls: calls),
      achievements: HTTPAchievements(calls: calls), watch: HTTPWatch(calls: calls),
      safety: HTTPSafety(calls: calls))
  }
}
