#if HTTP
  import Presence
  import ProductAPI

  /// The JSON shapes in which `WireFormat` encodes Who's There entities.
  extension Shape {
    private static let id = Kind.text(1...256)
    private static let uuid = Kind.form(.uuid)
    private static let name = Kind.text(0...1_024)
    private static let url = Kind.text(0...4_096)
    private static let zone = Kind.text(1...64)
    private static let count = Kind.integer(0...Int64.max)
    private static let sessionToken = Kind.text(64...64)
    private static let inviteCode = Kind.text(InviteCode.length...InviteCode.length)
    private static let source = Kind.word(PresenceSource.allCases.map(\.rawValue))
    private static let achievementType = Kind.word(AchievementType.allCases.map(\.rawValue))

    static let user = Shape(
      "User",
      [
        "id": id, "displayName": name, "asksForName": .flag, "isAnonymous": .flag,
        "version": count, "createdAt": .instant,
      ], optional: ["photoURL": url, "timeZone": zone])

    static let visibleUser = Shape(
      "VisibleUser", ["id": id, "displayName": name, "version": count],
      optional: ["photoURL": url])

    static let coordinate = Shape(
      "Coordinate", ["latitude": .number(-90...90), "longitude": .number(-180...180)])

    /// A circle has a center and a radius, and a polygon has corners.
    static let groupShape = Shape(
      "GroupShape", ["type": .word(["circle", "polygon"])],
      optional: [
        "center": .object(coordinate), "radius": .number(GroupShape.radii),
        "corners": .list(.object(coordinate), most: GroupShape.cornerCounts.upperBound),
      ])

    static let group = Shape(
      "LocationGroup",
      [
        "id": id, "name": name, "shape": .object(groupShape), "isPublic": .flag, "timeZone": zone,
        "memberCount": count, "maxMembers": count, "isActive": .flag, "createdAt": .instant,
      ], optional: ["createdBy": id])

    static let blockedUser = Shape(
      "BlockedUser", ["id": id, "displayName": name, "blockedAt": .instant],
      optional: ["photoURL": url])

    /// The parts of the export, in the order in which `export_my_data` returns them.
    static let export = Shape(
      "Export",
      listsOfRecords: [
        "account", "identities", "sessions", "memberships", "invites", "redemptions", "presences",
        "visits", "firstArrivals", "streaks", "statistics", "achievements", "commands", "messages",
        "devices", "pushSettings", "blocks", "reports",
      ])

    static let report = Shape(
      "Report",
      ["groupId": id, "userId": id, "reason": .word(ReportReason.allCases.map(\.rawValue))],
      optional: ["note": .text(0...1_000), "messageId": uuid])

    static let groupPage = Shape(
      "GroupPage", ["groups": .list(.object(group), most: 100)],
      optional: ["next": .groupPosition])

    static let member = Shape(
      "GroupMember",
      [
        "userId": id, "displayName": name, "role": .word(GroupRole.allCases.map(\.rawValue)),
        "joinedAt": .instant,
      ], optional: ["photoURL": url])

    static let invite = Shape(
      "GroupInvite", ["code": inviteCode, "groupId": id, "expiresAt": .instant])

    static let presence = Shape(
      "Presence",
      [
        "groupId": id, "userId": id, "isPresent": .flag, "source": source, "since": .instant,
        "version": count, "changedAt": .instant,
      ], optional: ["deadline": .instant])

    static let summary = Shape(
      "GroupPresenceSummary",
      [
        "groupId": id, "presentCount": count,
        "latest": .list(id, most: GroupPresenceSummary.mostLatest), "changedAt": .instant,
        "version": count,
      ], optional: ["firstToday": id])

    static let snapshot = Shape(
      "PresenceSnapshot",
      [
        "summary": .object(summary),
        "presences": .list(.object(presence), most: PresenceSnapshot.mostPresences),
        "takenAt": .instant,
      ], optional: ["own": .object(presence)])

    static let answer = Shape(
      "PresenceAnswer",
      ["outcome": .word(PresenceOutcome.allCases.map(\.rawValue)), "isReplayed": .flag],
      optional: ["presence": .object(presence)])

    static let message = Shape(
      "Message",
      [
        "id": uuid, "groupId": id, "text": .text(0...Message.longest), "sentAt": .instant,
        "isDeleted": .flag,
      ], optional: ["userId": id])

    static let messagePage = Shape(
      "MessagePage", ["messages": .list(.object(message), most: 100)],
      optional: ["next": .text(1...64)])

    /// If `hasGap` is true, messages before the listed messages may be missing.
    static let messageEvent = Shape(
      "MessageEvent",
      ["messages": .list(.object(message), most: ChatEvents.mostMessages), "hasGap": .flag])

    static let stats = Shape(
      "UserStats",
      [
        "checkIns": count, "firstArrivals": count, "groupsVisited": count, "currentStreak": count,
        "longestStreak": count, "longestStay": count, "messagesSent": count,
      ])

    static let achievement = Shape(
      "UserAchievement",
      ["type": achievementType, "unlockedAt": .instant, "points": count, "isNew": .flag])

    static let progress = Shape(
      "AchievementProgress",
      ["type": achievementType, "value": count, "goal": count, "fraction": .number(0...1)])

    /// Each group is a list with the group's id, its name, the number of present members, whether
    /// the user is present, and the version.
    static let watch = Shape(
      "WatchPayload",
      [
        "groups": .list(.tuple([id, name, count, .flag, count]), most: WatchPayload.mostGroups)
      ])

    // MARK: Small responses

    static let signedIn = Shape(
      "SignedIn", ["user": .object(user), "token": sessionToken, "expiresAt": .instant])
    static let linked = Shape(
      "Linked", ["user": .object(user)],
      optional: ["token": sessionToken, "expiresAt": .instant])
    static let ended = Shape("EndedSessions", ["count": count])

    // MARK: Requests

    private static let provider = Kind.word(AuthProvider.allCases.map(\.rawValue))
    private static let secret = Kind.text(1...8_192)
    private static let device = Kind.text(1...100)

    static let signIn = Shape(
      "SignIn", ["provider": provider, "secret": secret, "device": device],
      optional: ["nonce": .text(1...256), "displayName": name, "photoURL": url])
    static let link = Shape(
      "Link", ["provider": provider, "secret": secret, "device": device],
      optional: ["nonce": .text(1...256), "displayName": name])
    static let profile = Shape(
      "Profile", ["displayName": name], optional: ["photoURL": url, "timeZone": zone])
    static let ids = Shape("Ids", ["ids": .list(id, most: 100)])
    static let newGroup = Shape(
      "NewGroup",
      ["name": name, "shape": .object(groupShape), "timeZone": zone, "isPublic": .flag])
    static let changedGroup = Shape(
      "ChangedGroup",
      [
        "name": name, "shape": .object(groupShape), "timeZone": zone, "isPublic": .flag,
        "maxMembers": .integer(1...1_000),
      ])
    static let nearby = Shape(
      "Nearby",
      ["place": .object(coordinate), "radius": .number(InputLimits.searchRadii)])
    static let rotation = Shape(
      "Rotation", ["replaces": inviteCode], optional: ["lifetime": .integer(60...31_622_400)])
    static let code = Shape("Code", ["code": .text(1...64)])
    static let position = Shape(
      "ClaimedPosition",
      ["coordinate": .object(coordinate), "accuracy": .number(0...1e9), "at": .instant])
    static let command = Shape(
      "PresenceCommand",
      [
        "id": uuid, "groupId": id, "action": .word(PresenceAction.allCases.map(\.rawValue)),
        "source": source, "device": .word(PresenceDevice.allCases.map(\.rawValue)),
        "at": .instant,
      ],
      optional: [
        "position": .object(position),
        "stay": .integer(
          Int64(PresenceCommand.stays.lowerBound)...Int64(PresenceCommand.stays.upperBound)),
      ])
    static let newMessage = Shape("NewMessage", ["text": .text(0...65_536)])
    static let types = Shape("Types", ["types": .list(achievementType, most: 100)])
  }

  extension Shape.Kind {
    /// The position of a page of groups, which contains a name and an id.
    ///
    /// A URL with a position of the maximum length is shorter than the server's 16,384-byte limit.
    static let groupPosition = Self.form(.base64URL(1...1_300))
  }
#endif
