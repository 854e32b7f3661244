public import Foundation
import Presence

/// The rules that every chat implementation must follow.
///
/// Each rule has one check.
public enum ChatContract {
  /// The time when each check starts: a Wednesday at noon UTC.
  public static let beginning = Date(timeIntervalSince1970: 1_768_392_000)

  /// All contract checks.
  public static var checks: [Promise<any ChatEnvironment>] { sending + reading + blocking }

  private static let sending: [Promise<any ChatEnvironment>] = [
    Promise("a message is trimmed, and stored once even if it is sent again") {
      let (ana, ben) = try await $0.group()
      let draft = MessageDraft(groupId: "g", text: " \u{2003}\nHello,\n you\u{3000}\u{85}")
      let sent = try await ana.send(draft)
      try expect(
        sent,
        is: Message(
          id: draft.id, groupId: "g", userId: "ana", text: "Hello,\n you", sentAt: beginning))
      try await $0.advance(by: 90)
      try expect(try await ana.send(draft), is: sent)
      try expect(try await ben.history(of: "g"), is: [sent])
      let others = [(ana, "g", "Other"), (ana, "h", draft.text), (ben, "g", draft.text)]
      for (chat, group, text) in others {
        try await expectRefusal("conflictingRepeat") {
          _ = try await chat.send(MessageDraft(id: draft.id, groupId: group, text: text))
        }
      }
    },
    Promise("a message has 1 to 1,000 characters, and only members can send it") {
      let (ana, _) = try await $0.group()
      try await $0.addUser("eve")
      for (text, refusal) in [
        ("", "messageEmpty"), (" \n\t\u{2009}", "messageEmpty"),
        (String(repeating: "ä", count: 1_001), "messageTooLong"), ("a\u{0}b", "invalidInput"),
      ] {
        try await expectRefusal(refusal) {
          _ = try await ana.send(MessageDraft(groupId: "g", text: text))
        }
      }
      let long = String(repeating: "👍🏽", count: 500)
      try expect(try await ana.send(MessageDraft(groupId: "g", text: " \(long) ")).text, is: long)
      for (actor, group, refusal) in [
        ("eve", "g", "notAMember"), ("ana", "none", "groupNotFound"),
        (nil, "g", "notAuthenticated"),
      ] {
        let chat = try await $0.chat(for: actor)
        try await expectRefusal(refusal) {
          _ = try await chat.send(MessageDraft(groupId: group, text: "Hello"))
        }
        try await expectRefusal(refusal) { _ = try await chat.history(of: group) }
        try await expectRefusal(refusal) {
          try await chat.deleteMessage(UUID(), groupId: group)
        }
      }
    },
    Promise("a user sends five messages at once, and then one every two seconds") {
      let (ana, ben) = try await $0.group()
      let first = MessageDraft(groupId: "g", text: "1")
      _ = try await ana.send(first)
      for number in 2...5 { _ = try await ana.send(MessageDraft(groupId: "g", text: "\(number)")) }
      let sixth = MessageDraft(groupId: "g", text: "6")
      for seconds in [0.0, 0.5] {
        try await $0.moveClock(to: beginning.addingTimeInterval(seconds))
        let pause = Duration.milliseconds(2_000 - Int(seconds * 1_000))
        switch await AppResult.calling({ try await ana.send(sixth) }) {
        case .success: try expect("sent", is: "refused")
        case .failure(let error): try expect(error, is: .rateLimited(retryAfter: pause))
        }
      }
      // A repeated message and an invalid message do not take a token from the rate limiter.
      _ = try await ana.send(first)
      try await expectRefusal("messageEmpty") {
        _ = try await ana.send(MessageDraft(groupId: "g", text: " "))
      }
      _ = try await ana.send(MessageDraft(groupId: "h", text: "Another group"))
      _ = try await ben.send(MessageDraft(groupId: "g", text: "Another user"))
      try await $0.moveClock(to: beginning.addingTimeInterval(2))
      _ = try await ana.send(sixth)
      try await expectRefusal("rateLimited") {
        _ = try await ana.send(MessageDraft(groupId: "g", text: "7"))
      }
    },
  ]

  private static let blocking: [Promise<any ChatEnvironment>] = [
    Promise("the messages of a blocked user look deleted to the blocker, and to no other user") {
      let (ana, ben) = try await $0.group()
      let (hers, his) = (
        try await ana.send(MessageDraft(groupId: "g", text: "Hers")),
        try await ben.send(MessageDraft(groupId: "g", text: "His"))
      )
      let safety = try await $0.safety(for: "ana")
      try await safety.block(userId: "ben")
      let seen = try await ana.history(of: "g")
      try expect(
        Set(seen.map { "\($0.userId ?? "") \($0.text) \($0.isDeleted)" }),
        is: ["ana Hers false", "ben  true"])
      try expect(try await ana.history(of: "g", after: seen.first, limit: 1), is: [seen[1]])
      try expect(Set(try await ben.history(of: "g")), is: [hers, his])
      try await safety.unblock(userId: "ben")
      try expect(Set(try await ana.history(of: "g")), is: [hers, his])
    },
    Promise("a report about a message contains a message that the user wrote in the group") {
      let (ana, ben) = try await $0.group()
      let his = try await ben.send(MessageDraft(groupId: "g", text: "His"))
      let hers = try await ana.send(MessageDraft(groupId: "g", text: "Hers"))
      let safety = try await $0.safety(for: "ana")
      let report = UserReport(groupId: "g", userId: "ben", reason: .content, messageId: his.id)
      for _ in 0..<2 { try await safety.report(report) }
      try await ben.deleteMessage(his.id, groupId: "g")
      try await safety.report(report)
      for (group, message) in [("g", hers.id), ("h", his.id), ("g", UUID())] {
        try await expectRefusal("invalidInput") {
          try await safety.report(
            UserReport(groupId: group, userId: "ben", reason: .content, messageId: message))
        }
      }
    },
  ]

  private static let reading: [Promise<any ChatEnvironment>] = [
    Promise("the pages of a history contain each message once, newest first") {
      let (ana, ben) = try await $0.group()
      var sent: [Message] = []
      for week in 0..<3 {
        try await $0.moveClock(to: beginning.addingTimeInterval(Double(week) * 604_800))
        for chat in [ana, ben, ana] {
          sent.append(try await chat.send(MessageDraft(groupId: "g", text: "\(sent.count)")))
        }
      }
      _ = try await ana.send(MessageDraft(groupId: "h", text: "Another group"))
      let expected = sent.sorted { $1.isOlder(than: $0) }
      for limit in [1, 2, 4, 100] {
        var (seen, page) = ([Message](), try await ben.history(of: "g", after: nil, limit: limit))
        while !page.isEmpty {
          seen += page
          page = try await ben.history(of: "g", after: page.last, limit: limit)
        }
        try expect(seen, is: expected)
      }
      for limit in [0, 101, -1, .max] {
        try await expectRefusal("invalidInput") {
          _ = try await ben.history(of: "g", after: nil, limit: limit)
        }
      }
    },
    Promise("only the author or an admin deletes a message, which removes its text") {
      let (ana, ben) = try await $0.group()
      let hers = MessageDraft(groupId: "g", text: "Hers")
      let his = MessageDraft(groupId: "g", text: "His")
      _ = try await ana.send(hers)
      _ = try await ben.send(his)
      try await expectRefusal("notGroupAdmin") {
        try await ben.deleteMessage(hers.id, groupId: "g")
      }
      // Deleting an unknown message or a message in another group has no effect.
      try await ana.deleteMessage(his.id, groupId: "h")
      try await ben.deleteMessage(UUID(), groupId: "g")
      try expect(try await ben.history(of: "g").map(\.isDeleted), is: [false, false])
      for _ in 0..<2 {
        try await ana.deleteMessage(his.id, groupId: "g")
        try await ana.deleteMessage(hers.id, groupId: "g")
      }
      try expect(
        Set(try await ben.history(of: "g").map { "\($0.userId ?? "")\($0.text)\($0.isDeleted)" }),
        is: ["anatrue", "bentrue"])
      // The author's phone may send a deleted message again. The response shows that the message
      // was deleted.
      try expect(try await ben.send(his).isDeleted, is: true)
    },
    Promise("a former member cannot read or write, but the member's messages remain") {
      let (ana, ben) = try await $0.group()
      let draft = MessageDraft(groupId: "g", text: "Hello")
      _ = try await ben.send(draft)
      try await $0.groups(for: "ben").leaveGroup("g")
      try await expectRefusal("notAMember") { _ = try await ben.history(of: "g") }
      try await expectRefusal("notAMember") { _ = try await ben.send(draft) }
      try await expectRefusal("notAMember") { try await ben.deleteMessage(draft.id, groupId: "g") }
      try expect(try await ana.history(of: "g").map(\.userId), is: ["ben"])
      try await $0.users(for: "ben").deleteAccount()
      try expect(
        try await ana.history(of: "g"),
        is: [
          Message(id: draft.id, groupId: "g", userId: nil, text: "Hello", sentAt: beginning)
        ])
    },
  ]
}

extension ChatEnvironment {
  /// Creates the public groups `g` and `h` with the admin `ana` and the member `ben`.
  fileprivate func group() async throws -> (any ChatRepository, any ChatRepository) {
    for user in ["ana", "ben"] { try await addUser(user) }
    for id in ["g", "h"] {
      _ = try await groups(for: "ana").createGroup(
        id: id, name: "Chess",
        shape: .circle(center: try Coordinate(latitude: 52.5, longitude: 13.4), radius: 100),
        isPublic: true, timeZone: "Europe/Berlin")
      _ = try await groups(for: "ben").joinPublicGroup(id)
    }
    return (try await chat(for: "ana"), try await chat(for: "ben"))
  }

  fileprivate func advance(by seconds: TimeInterval) async throws {
    try await moveClock(to: ChatContract.beginning.addingTimeInterval(seconds))
  }
}
