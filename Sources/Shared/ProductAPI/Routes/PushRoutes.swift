#if HTTP
  package import ProductPostgres

  /// A product whose users can register devices for push notifications.
  package protocol PushAPI: APIProduct {
    /// The kinds of push notifications that a user can mute.
    static var pushKinds: [String] { get }

    /// Returns the caller's devices and push settings.
    func pushes(_ call: APICall) -> PushRegistry
  }

  extension PushAPI {
    /// The routes for devices and push settings.
    package static var pushRoutes: [APIRoute<Self>] {
      let settings = Shape(
        "PushSettings", ["muted": .list(.word(pushKinds), most: 20)],
        optional: ["quietFrom": .form(.timeOfDay), "quietUntil": .form(.timeOfDay)])
      return [
        APIRoute<Self>(
          "POST", "/v1/me/devices",
          "Registers a device for push notifications. An app calls the route at each start.",
          calls: ["hold_session", "register_push_device"], body: .newDevice,
          response: .object(.deviceId)
        ) { api, call in
          let device = try call.read(NewPushDevice.self, as: Format.self)
          let id = try await api.pushes(call).register(device)
          return try .entity(["id": "\(id)"], as: Format.self)
        },
        APIRoute<Self>(
          "GET", "/v1/me/devices", "Returns the devices that receive push notifications.",
          calls: ["push_devices"], response: .list(.object(.device), most: 100)
        ) { api, call in try .entity(try await api.pushes(call).devices(), as: Format.self) },
        APIRoute<Self>(
          "DELETE", "/v1/me/devices/{device}", "Ends the push notifications to a device.",
          calls: ["remove_push_device"], values: ["device": .integer(1...Int64.max)]
        ) { api, call in
          try await api.pushes(call).remove(Int64(call.text("device")) ?? 0)
          return .done
        },
        APIRoute<Self>(
          "GET", "/v1/me/push-settings", "Returns the muted kinds and the quiet hours.",
          calls: ["push_settings"], response: .object(settings)
        ) { api, call in try .entity(try await api.pushes(call).settings(), as: Format.self) },
        APIRoute<Self>(
          "PUT", "/v1/me/push-settings", "Changes the muted kinds and the quiet hours.",
          calls: ["set_push_settings"], body: settings
        ) { api, call in
          try await api.pushes(call).set(try call.read(PushSettings.self, as: Format.self))
          return .done
        },
      ]
    }
  }

  extension Shape {
    fileprivate static let newDevice = Shape(
      "NewDevice",
      ["platform": .word(["apns", "fcm", "webhook"]), "token": .text(1...2_048)],
      optional: [
        "environment": .word(["production", "sandbox"]), "locale": .text(1...35),
        "secret": .text(32...256),
      ])
    fileprivate static let deviceId = Shape("DeviceId", ["id": .text(1...20)])
    fileprivate static let device = Shape(
      "Device",
      [
        "id": .text(1...20), "platform": .text(1...16), "environment": .text(1...16),
        "locale": .text(1...35), "registeredAt": .instant,
      ])
  }
#endif
