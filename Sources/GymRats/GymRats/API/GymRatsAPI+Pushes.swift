#if HTTP
  import BatonPostgres
  import Challenges
  import ChallengesPostgres
  import ChallengesSQL
  import Foundation
  import ProductAPI
  import ProductPostgres

  extension GymRatsAPI: PushAPI {
    static let pushKinds = NotificationType.allCases.map(\.rawValue)

    func pushes(_ call: APICall) -> PushRegistry {
      PushRegistry(
        database,
        PushRegistry.Statements(
          register: SQL.Api.registerPushDevice, devices: SQL.Api.pushDevices,
          remove: SQL.Api.removePushDevice, settings: SQL.Api.pushSettings,
          set: SQL.Api.setPushSettings),
        user: call.user, session: call.session?.id.uuidString)
    }
  }
#endif
