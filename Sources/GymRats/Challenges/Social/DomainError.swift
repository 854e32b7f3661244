/// The reason why a call was rejected.
///
/// The app and the server report the first nine cases, and only the server reports the other cases.
/// A rejected call is an expected result, not a program failure. Each rejection has a code, the
/// SQLSTATE that the database reports, and an HTTP status code.
public enum DomainError: Error, Hashable, Sendable {
  /// No user is signed in, or the call contains the id of another user.
  case notAuthenticated
  /// The user is already a member of a group.
  case alreadyInGroup(groupId: String?)
  /// The group does not exist, or the user has no permission to see it.
  case groupNotFound
  /// The group has reached its maximum number of members.
  case groupFull
  /// Only admins of the group may make the call.
  case notGroupAdmin
  /// The server could not be reached or was too busy to respond.
  ///
  /// A repeated call may succeed later.
  case networkUnavailable
  /// The challenge does not exist, or the user has no permission to see it.
  case challengeNotFound
  /// The type of the challenge does not support this call.
  case invalidChallengeType
  /// The challenge's week has ended.
  case challengeExpired
  /// The invite is unknown, expired or revoked.
  ///
  /// The error does not reveal whether the invite is unknown, expired or revoked.
  case inviteInvalid
  /// The user has tried too many wrong invites.
  ///
  /// For a limited time, the server rejects every invite that this user tries, without checking it.
  case tooManyAttempts
  /// The user is not a member of the group, or is a former member.
  case notAMember
  /// An argument is invalid, regardless of the data on the server.
  case invalidInput
  /// An earlier call with the same id had different arguments.
  case conflictingRepeat
  /// The call sets a streak, but the server derives streaks from workouts.
  case streakIsDerived
  /// A usage limit has been reached, either by the user or by all users together.
  ///
  /// Each usage limit is a number per hour or per day, which operators can change.
  case limitReached
}

extension DomainError: CaseIterable {
  /// All errors, ordered by SQLSTATE.
  public static var allCases: [DomainError] {
    [
      .notAuthenticated, .alreadyInGroup(groupId: nil), .groupNotFound, .groupFull, .notGroupAdmin,
      .challengeNotFound, .invalidChallengeType, .challengeExpired, .inviteInvalid,
      .tooManyAttempts, .notAMember, .invalidInput, .conflictingRepeat, .streakIsDerived,
      .limitReached, .networkUnavailable,
    ]
  }

  private var properties: (code: String, sqlState: String?, status: Int) {
    switch self {
    case .notAuthenticated: ("notAuthenticated", "ZG001", 401)
    case .alreadyInGroup: ("alreadyInGroup", "ZG002", 409)
    case .groupNotFound: ("groupNotFound", "ZG003", 404)
    case .groupFull: ("groupFull", "ZG004", 409)
    case .notGroupAdmin: ("notGroupAdmin", "ZG005", 403)
    case .challengeNotFound: ("challengeNotFound", "ZG006", 404)
    case .invalidChallengeType: ("invalidChallengeType", "ZG007", 422)
    case .challengeExpired: ("challengeExpired", "ZG008", 410)
    case .inviteInvalid: ("inviteInvalid", "ZG009", 404)
    case .tooManyAttempts: ("tooManyAttempts", "ZG010", 429)
    case .notAMember: ("notAMember", "ZG011", 403)
    case .invalidInput: ("invalidInput", "ZG012", 422)
    case .conflictingRepeat: ("conflictingRepeat", "ZG013", 409)
    case .streakIsDerived: ("streakIsDerived", "ZG014", 409)
    case .limitReached: ("limitReached", "ZG015", 429)
    case .networkUnavailable: ("networkUnavailable", nil, 503)
    }
  }

  /// The error's code, which the database also reports in the CONSTRAINT field.
  public var code: String { properties.code }

  /// The SQLSTATE that the database reports, or nil if only the client reports this error.
  public var sqlState: String? { properties.sqlState }

  /// The status code of the HTTP response.
  public var status: Int { properties.status }

  /// Whether a repeated call may succeed later without any action by the user.
  public var isRetryable: Bool { self == .networkUnavailable }

  /// Creates the error with a code, or returns nil if it is unknown.
  public init?(code: String, groupId: String? = nil) {
    guard let found = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = found.in(groupId)
  }

  /// Creates the error that the database reported, or returns nil if the SQLSTATE is unknown.
  ///
  /// - Parameters:
  ///   - sqlState: The five-character SQLSTATE.
  ///   - detail: The DETAIL field, which contains the group's id for `alreadyInGroup`.
  public init?(sqlState: String, detail: String? = nil) {
    guard let found = Self.allCases.first(where: { $0.sqlState == sqlState }) else { return nil }
    self = found.in(detail)
  }

  private func `in`(_ groupId: String?) -> DomainError {
    self == .alreadyInGroup(groupId: nil) ? .alreadyInGroup(groupId: groupId) : self
  }
}

extension DomainError: Codable {
  private enum CodingKeys: String, CodingKey { case code, groupId }

  /// Decodes an error from JSON such as `{"code": "groupFull"}`.
  ///
  /// - Throws: `DecodingError` if the code is unknown.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let code = try fields.decode(String.self, forKey: .code)
    let groupId = try fields.decodeIfPresent(String.self, forKey: .groupId)
    guard let error = DomainError(code: code, groupId: groupId) else {
      throw DecodingError.dataCorruptedError(
        forKey: .code, in: fields, debugDescription: "there is no error of this name")
    }
    self = error
  }

  /// Encodes the code and, if the error has a group, the group's id.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(code, forKey: .code)
    if case .alreadyInGroup(let groupId?) = self { try fields.encode(groupId, forKey: .groupId) }
  }
}
