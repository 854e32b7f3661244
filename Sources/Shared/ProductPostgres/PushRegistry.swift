package import BatonPostgres
package import Foundation

/// A database that executes the calls of a product's users.
package protocol ActorCalling: Sendable {
  /// Executes a call in a separate transaction, for an actor or for the server itself.
  ///
  /// - Throws: a product error if the call was rejected.
  func run<Output: Sendable>(
    _ call: Call<Output>, for actor: String?
  ) async throws -> Output
}

/// One user's devices that receive push notifications, and the user's push settings.
package struct PushRegistry: Sendable {
  /// A product's SQL statements that read and change devices and push settings.
  package struct Statements: Sendable {
    let register, devices, remove, settings, set: Statement

    /// Creates a value from the statements.
    package init(
      register: Statement, devices: Statement, remove: Statement, settings: Statement,
      set: Statement
    ) {
      (self.register, self.devices, self.remove) = (register, devices, remove)
      (self.settings, self.set) = (settings, set)
    }
  }

  private let database: any ActorCalling
  private let statements: Statements
  private let user: String
  private let session: String?

  /// Creates a value for a user whose identity the caller has verified.
  ///
  /// - Parameter session: the request's session, as the `register` statement expects it, or nil if
  ///   the token does not belong to a session.
  package init(
    _ database: any ActorCalling, _ statements: Statements, user: String, session: String?
  ) {
    (self.database, self.statements, self.user) = (database, statements, user)
    self.session = session
  }

  /// Registers a device and returns its id.
  ///
  /// If the session has ended, the database rejects the registration, even if the request's token
  /// has not expired yet.
  package func register(_ device: NewPushDevice) async throws -> Int64 {
    let register = Call.row(
      statements.register, user, device.platform, device.token,
      device.environment ?? "production", device.locale ?? "en", device.secret, session
    ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
    return try await database.run(register, for: user)
  }

  /// Returns the devices, most recently registered first.
  package func devices() async throws -> [RegisteredPushDevice] {
    let list = Call.rows(statements.devices, user) { (row) throws(PostgresError) in
      let (id, platform, environment, locale, registeredAt) = try row.decode(
        Int64.self, String.self, String.self, String.self, Timestamp.self)
      return RegisteredPushDevice(
        id: "\(id)", platform: platform, environment: environment, locale: locale,
        registeredAt: registeredAt.date)
    }
    return try await database.run(list, for: user)
  }

  /// Removes a device.
  package func remove(_ device: Int64) async throws {
    try await database.run(.run(statements.remove, user, device), for: user)
  }

  /// Returns the kinds of notifications that the user has muted, and the quiet hours.
  package func settings() async throws -> PushSettings {
    let read = Call.row(statements.settings, user) { (row) throws(PostgresError) in
      let (muted, from, until) = try row.decode(String.self, String?.self, String?.self)
      return PushSettings(
        muted: muted.split(separator: ",").map(String.init), quietFrom: from, quietUntil: until)
    }
    return try await database.run(read, for: user)
  }

  /// Replaces the kinds of notifications that the user has muted, and the quiet hours.
  package func set(_ settings: PushSettings) async throws {
    try await database.run(
      .run(statements.set, user, settings.muted, settings.quietFrom, settings.quietUntil),
      for: user)
  }
}

/// A device's registration for push notifications.
package struct NewPushDevice: Decodable, Sendable {
  package let platform, token: String
  package let environment, locale, secret: String?
}

/// A registered device, without its token.
package struct RegisteredPushDevice: Encodable, Sendable {
  package let id, platform, environment, locale: String
  package let registeredAt: Date
}

/// A user's settings for push notifications.
package struct PushSettings: Codable, Sendable {
  /// The kinds of notifications that are not sent.
  package let muted: [String]
  /// The quiet hours as `HH:MM` in the user's time zone, or nil for no quiet hours.
  package let quietFrom, quietUntil: String?
}
