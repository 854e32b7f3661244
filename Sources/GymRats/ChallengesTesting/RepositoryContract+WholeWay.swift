import Challenges
import ChallengesApp
import Foundation

/// The authentication for a phone on which a user is signed in.
private struct SignedIn: AuthenticationRepository {
  let userId: String
  let users: any UserRepository

  func currentUser() async throws -> SocialUser? { try await users.getUser(userId) }

  func signInWithEmail(_ email: String, password: String) async throws -> SocialUser {
    throw AuthError.invalidCredential
  }

  func signOut() async throws {}
}

/// Forwards workouts to the server, or simulates a missing network connection.
private actor Connection: WorkoutRepository {
  private let server: any WorkoutRepository
  private var isOnline = true

  init(to server: any WorkoutRepository) { self.server = server }

  func change(isOnline: Bool) { self.isOnline = isOnline }

  func recordWorkout(_ entry: WorkoutHistoryEntry) async throws -> WorkoutAnswer {
    guard isOnline else { throw DomainError.networkUnavailable }
    return try await server.recordWorkout(entry)
  }

  func deleteWorkout(_ workoutId: String, revision: Int) async throws -> WorkoutAnswer {
    guard isOnline else { throw DomainError.networkUnavailable }
    return try await server.deleteWorkout(workoutId, revision: revision)
  }
}

extension RepositoryContract {
  /// The checks that exercise an app's use cases.
  static let wholeWay: [ContractCheck] = [
    ContractCheck("an app creates, uses and ends a group through its use cases") {
      let contract = $0
      let ana = try await contract.user("ana")
      let anasPhone = SignedIn(userId: "ana", users: ana.users)
      let create = CreateGroupUseCase(authentication: anasPhone, groups: ana.groups)
      let group = try await create.execute(name: "Gym")
      try await contract.expectRefusal(.alreadyInGroup(groupId: group.id)) {
        _ = try await create.execute(name: "Another")
      }

      // A user opens an invite link on a phone before signing in, and then signs in.
      let link = try await GenerateInviteLinkUseCase(
        authentication: anasPhone, invites: ana.invites
      ).execute().link
      guard case .groupInvite(let code) = try DeepLink.parse(link.universalText).destination
      else { return }
      try contract.expect(
        InviteStep.next(for: code, user: nil, hasSignedInForIt: false), is: .signIn(code))
      let ben = try await contract.user("ben")
      let bensPhone = SignedIn(userId: "ben", users: ben.users)
      try contract.expect(
        InviteStep.next(
          for: code, user: try await bensPhone.currentUser(), hasSignedInForIt: true),
        is: .join(code))
      _ = try await JoinGroupUseCase(authentication: bensPhone, invites: ben.invites)
        .execute(code: code)

      // After a workout, the check-in board and the streak board show the member's new values.
      let connection = Connection(to: ben.workouts)
      let sync = SyncWorkoutCompletionUseCase(authentication: bensPhone, workouts: connection)
      try await contract.advance(by: 60)
      try contract.expect(
        try await sync.execute(entry: try await contract.workout("first")), is: .accepted)
      for type in ChallengeType.allCases {
        try contract.expect(
          try await contract.lines(of: group, type, seenBy: ana), is: ["ben 1 1"])
      }

      // If the user does not share workouts, a workout must not be sent to the server.
      try await contract.advance(by: 60)
      try await ben.users.updatePrivacySettings(
        userId: "ben", settings: PrivacySettings(shareWorkoutData: false))
      await connection.change(isOnline: false)
      try contract.expect(
        try await sync.execute(entry: try await contract.workout("private")), is: .ignoredPrivacy)
      try await contract.advance(by: 60)
      try await ben.users.updatePrivacySettings(
        userId: "ben", settings: PrivacySettings(shareWorkoutData: true))

      // While the network is unavailable, a workout stays in the queue. When the network is
      // available again, the client sends the workout.
      try await contract.advance(by: 60)
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "contract-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let queue = try PendingSyncQueue(folder: folder, userId: "ben")
      try await queue.enqueue(try await contract.workout("second"), privacy: PrivacySettings())
      try contract.expect(
        await queue.processQueue(syncUseCase: sync).stop, is: .networkUnavailable)
      await connection.change(isOnline: true)
      try contract.expect(
        await queue.processQueue(syncUseCase: sync).finished.map(\.end),
        is: [.outcome(.accepted)])
      try contract.expect(
        try await contract.lines(of: group, .checkIns, seenBy: ana), is: ["ben 2 1"])

      // At the end of the check, the member leaves the group.
      try await LeaveGroupUseCase(authentication: bensPhone, groups: ben.groups).execute()
      try contract.expect(try await ana.groups.getMembers(groupId: group.id).map(\.id), is: ["ana"])
      try contract.expect(try await bensPhone.currentUser()?.currentGroupId, is: nil)
      _ = try await JoinGroupUseCase(authentication: bensPhone, invites: ben.invites)
        .execute(code: code)
      try await ana.groups.deleteGroup(group.id)
      for phone in [anasPhone, bensPhone] {
        try contract.expect(try await phone.currentUser()?.currentGroupId, is: nil)
      }
    }
  ]
}
