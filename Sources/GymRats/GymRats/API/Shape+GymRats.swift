#if HTTP
  import Challenges
  import ProductAPI

  /// The shapes of GymRats' entities, as `WireFormat` encodes them.
  extension Shape {
    private static let id = Kind.text(1...256)
    private static let name = Kind.text(0...1_024)
    private static let url = Kind.text(0...4_096)
    private static let count = Kind.integer(0...Int64(Int32.max))
    private static let accessToken = Kind.text(1...8_192)
    private static let refreshToken = Kind.text(96...96)

    static let privacy = Shape("PrivacySettings", ["shareWorkoutData": .flag])

    static let user = Shape(
      "SocialUser",
      [
        "id": id, "displayName": name, "asksForName": .flag,
        "authProvider": .word(AuthProvider.allCases.map(\.rawValue)),
        "privacySettings": .object(privacy), "createdAt": .instant,
      ], optional: ["email": .text(1...320), "photoURL": url, "currentGroupId": id])

    static let group = Shape(
      "Group",
      [
        "id": id, "name": name, "createdAt": .instant, "memberCount": count, "isActive": .flag,
      ], optional: ["createdBy": id])

    static let member = Shape(
      "GroupMember",
      [
        "id": id, "displayName": name, "joinedAt": .instant,
        "role": .word(GroupRole.allCases.map(\.rawValue)), "isActive": .flag,
      ], optional: ["photoURL": url])

    static let challenge = Shape(
      "Challenge",
      [
        "id": id, "groupId": id, "type": .word(ChallengeType.allCases.map(\.rawValue)),
        "weekStartDate": .instant, "weekEndDate": .instant, "isActive": .flag,
        "createdAt": .instant,
      ])

    static let entry = Shape(
      "LeaderboardEntry",
      [
        "id": id, "displayName": name, "value": count, "rank": .integer(1...Int64(Int32.max)),
        "lastUpdated": .instant,
      ], optional: ["photoURL": url])

    static let snapshot = Shape(
      "LeaderboardSnapshot",
      [
        "challenge": .object(challenge),
        "entries": .list(.object(entry), most: LeaderboardSnapshot.mostEntries),
        "rankVersion": .integer(0...Int64.max), "takenAt": .instant,
      ], optional: ["currentUserEntry": .object(entry)])

    static let invite = Shape(
      "Invite",
      ["id": id, "groupId": id, "code": .text(1...InviteCode.longest), "expiresAt": .instant])

    static let listedInvite = Shape(
      "ListedInvite", ["id": id, "createdAt": .instant, "expiresAt": .instant],
      optional: ["createdBy": id])

    static let preview = Shape(
      "InvitePreview", ["groupName": name, "memberCount": count, "isFull": .flag])

    static let answer = Shape(
      "WorkoutAnswer", ["outcome": .text(1...64), "isReplayed": .flag],
      optional: ["reason": .text(1...64), "weekStart": .text(10...10)])

    static let notification = Shape(
      "GroupNotification",
      [
        "id": id, "userId": id, "groupId": id,
        "type": .word(NotificationType.allCases.map(\.rawValue)), "message": .text(0...4_096),
        "isRead": .flag, "createdAt": .instant, "expiresAt": .instant,
      ])

    static let notificationPage = Shape(
      "NotificationPage", ["notifications": .list(.object(notification), most: 200)],
      optional: ["next": .text(1...64)])

    static let blockedUser = Shape(
      "BlockedUser", ["id": id, "displayName": name, "blockedAt": .instant],
      optional: ["photoURL": url])

    /// The parts of the export, in the order in which `export_my_data` returns them.
    static let export = Shape(
      "Export",
      listsOfRecords: [
        "account", "identities", "sessions", "memberships", "invites", "workouts", "revisions",
        "refusedEdits", "pauses", "streaks", "boards", "notifications", "devices", "pushSettings",
        "usage", "events", "blocks", "reports",
      ])

    // MARK: Small responses

    static let badge = Shape("Badge", ["count": count])
    static let stored = Shape("Stored", ["isStored": .flag])
    static let beta = Shape("Beta", ["isBeta": .flag])

    static let ended = Shape("EndedSessions", ["count": .integer(0...Int64.max)])
    static let session = Shape(
      "Session",
      [
        "user": .object(user), "accessToken": accessToken, "accessExpiresAt": .instant,
        "refreshToken": refreshToken, "expiresAt": .instant,
      ])
    static let refreshed = Shape(
      "RefreshedSession",
      [
        "accessToken": accessToken, "accessExpiresAt": .instant, "refreshToken": refreshToken,
        "expiresAt": .instant,
      ])

    // MARK: Requests

    static let newSession = Shape(
      "NewSession", ["device": .text(1...100)],
      optional: ["nonce": .text(1...256), "displayName": name, "photoURL": url])
    static let refresh = Shape("Refresh", ["refreshToken": refreshToken])
    static let signIn = Shape(
      "SignIn", optional: ["nonce": .text(1...256), "displayName": name, "photoURL": url])
    static let profile = Shape("Profile", ["displayName": name], optional: ["photoURL": url])
    static let timeZone = Shape("TimeZone", ["timeZone": .text(1...256)])
    static let newGroup = Shape("NewGroup", ["name": name])
    static let muted = Shape("Muted", ["isMuted": .flag])
    static let newInvite = Shape("NewInvite", optional: ["code": .form(.hex(32))])
    static let code = Shape("Code", ["code": .text(1...InviteCode.longest)])
    static let streak = Shape("Streak", ["streakDays": count])
    static let ids = Shape("Ids", ["ids": .list(id, most: 1_000)])
    static let report = Shape(
      "Report",
      ["groupId": id, "userId": id, "reason": .word(ReportReason.allCases.map(\.rawValue))],
      optional: ["note": .text(0...1_000)])
    static let workout = Shape(
      "Workout",
      optional: [
        "performedAt": .instant, "utcOffsetSeconds": .integer(-1_000_000...1_000_000),
        "revision": count,
      ])
    static let event = Shape(
      "ClientEvent",
      ["id": .form(.uuid), "kind": .word(["writeFailed", "linkFailed", "boardFetched"])],
      optional: ["milliseconds": .integer(0...Int64(ClientEvent.longestFetch))])
  }
#endif
