#if HTTP
  import Testing

  extension APITour {
    /// Registers and removes a device, and changes the settings of push notifications.
    ///
    /// - Parameter kind: a kind of push notifications that a user can mute.
    mutating func pushes(_ kind: String, as token: String) async throws {
      let device = try await ask(
        "POST /v1/me/devices", as: token,
        #"{"platform":"fcm","token":"registration-token","locale":"pt-BR"}"#)
      let id = try #require(device["id"] as? String)
      try await ask("GET /v1/me/devices", as: token)
      try await ask(
        "PUT /v1/me/push-settings", as: token,
        #"{"muted":["\#(kind)"],"quietFrom":"22:00","quietUntil":"07:00"}"#)
      let settings = try await ask("GET /v1/me/push-settings", as: token)
      #expect(settings["muted"] as? [String] == [kind])
      #expect(settings["quietUntil"] as? String == "07:00")
      try await ask("DELETE /v1/me/devices/{device}", "/v1/me/devices/\(id)", as: token)
    }
  }
#endif
