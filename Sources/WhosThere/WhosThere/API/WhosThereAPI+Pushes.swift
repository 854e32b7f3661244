#if HTTP
  import BatonPostgres
  import PresencePostgres
  import PresenceSQL
  import ProductAPI
  import ProductPostgres

  extension WhosThereAPI: PushAPI {
    static let pushKinds = ["message", "first_arrival"]

    func pushes(_ call: APICall) -> PushRegistry {
      PushRegistry(
        database,
        PushRegistry.Statements(
          register: SQL.Api.registerPushDevice, devices: SQL.Api.pushDevices,
          remove: SQL.Api.removePushDevice, settings: SQL.Api.pushSettings,
          set: SQL.Api.setPushSettings),
        user: call.user, session: call.token)
    }
  }
#endif
