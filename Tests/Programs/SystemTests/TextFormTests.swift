#if HTTP
  import Foundation
  import TestSupport
  import Testing

  @testable import ProductAPI

  /// Tests that the server's check of a text agrees with the regular expression in the OpenAPI
  /// description.
  @Suite struct TextFormTests {
    private static let forms: [(form: TextForm, good: [String])] = [
      (
        .uuid,
        ["1b4e28ba-2fa1-11d2-883f-0016d3cca427", "1B4E28BA-2FA1-11D2-883F-0016D3CCA427"]
      ),
      (.timeOfDay, ["00:00", "09:59", "19:30", "23:59"]), (.hex(4), ["0aF9", "ffff"]),
      (.base64URL(1...5), ["aZ-_9", "a"]),
    ]

    private static let letters = Array("0259afgzAFGZ:-_ .é\u{0}\u{301}")

    /// Returns a text with one changed, missing or additional character.
    private func changed(_ text: String, _ random: Randomness) -> String {
      var characters = Array(text)
      let letter = Self.letters[random.number(in: 0..<Self.letters.count)]
      let place = random.number(in: 0..<characters.count)
      switch random.number(in: 0...2) {
      case 0: characters[place] = letter
      case 1: characters.remove(at: place)
      default: characters.insert(letter, at: place)
      }
      return String(characters)
    }

    @Test(arguments: forms.indices)
    func `the check of a form agrees with its regular expression`(index: Int) {
      let (form, good) = Self.forms[index]
      let random = Randomness()
      for text in good { #expect(form.isMatched(by: text), "\(form.words): \(text)") }
      for _ in 1...500 {
        let text = changed(changed(good[0], random), random)
        let isMatched = text.range(of: form.pattern, options: .regularExpression) != nil
        #expect(form.isMatched(by: text) == isMatched, "\(form.words): \(text.debugDescription)")
      }
      #expect(!form.isMatched(by: ""))
    }
  }
#endif
