/// Why a call was refused, in words that a program can switch on.
///
/// The first nine are the app's; the others are the server's too. A refusal is not a failure of the
/// program: it has a code, an SQLSTATE by which the database says it, and a status for an API over HTTP.
public enum DomainError: Error, Hashable, Sendable {
  /// No user is signed in, or the call names another user.
  case notAuthenticated
  /// The user is in a group, this one or another.
  case alreadyInGroup(groupId: String?)
  /// There is no such group for this user.
  case groupNotFound
  /// The group has as many members as it may have.
  case groupFull
  /// Only an admin of the group may do that.
  case notGroupAdmin
  /// The server was not reached, or it was too busy to answer: the same call may succeed later.
  case networkUnavailable
  /// There is no such challenge for this user.
  case challengeNotFound
  /// The challenge is of a type that does not take this call.
  case invalidChallengeType
  /// The challenge's week is over.
  case challengeExpired
  /// The invite is unknown, expired or revoked; the error does not say which.
  case inviteInvalid
  /// After too many wrong invites, further ones are refused for a while without a check.
  case tooManyAttempts
  /// The user is not, or no longer, a member of the group.
  case notAMember
  /// An argument that is never valid.
  case invalidInput
  /// The same call was made before with other arguments.
  case conflictingRepeat
  /// Streaks are derived from workouts here: a call cannot set them.
  case streakIsDerived
}

extension DomainError: CaseIterable {
  /// All of them, in the order of their SQLSTATEs.
  public static var allCases: [DomainError] {
    [
      .notAuthenticated, .alreadyInGroup(groupId: nil), .groupNotFound, .groupFull, .notGroupAdmin,
      .challengeNotFound, .invalidChallengeType, .challengeExpired, .inviteInvalid,
      .tooManyAttempts, .notAMember, .invalidInput, .conflictingRepeat, .streakIsDerived,
      .networkUnavailable,
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
    case .networkUnavailable: ("networkUnavailable", nil, 503)
    }
  }

  /// Its name, which is also what the database's CONSTRAINT field says.
  public var code: String { properties.code }

  /// The SQLSTATE of the database's error; nil: only the client reports this error.
  public var sqlState: String? { properties.sqlState }

  /// The status of an answer over HTTP.
  public var status: Int { properties.status }

  /// Whether the same call may succeed later without any action by the user.
  public var isRetryable: Bool { self == .networkUnavailable }

  /// The error that a code names; nil for any other text.
  public init?(code: String, groupId: String? = nil) {
    guard let found = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = found.in(groupId)
  }

  /// The error that the database says.
  ///
  /// - Parameters:
  ///   - sqlState: five letters.
  ///   - detail: the DETAIL field; that of `alreadyInGroup` is the group's id.
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

  /// Reads `{"code": "groupFull"}`; an unknown code is an error, not another one's.
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

  /// Writes the code, and the group where the error names one.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(code, forKey: .code)
    if case .alreadyInGroup(let groupId?) = self { try fields.encode(groupId, forKey: .groupId) }
  }
}
