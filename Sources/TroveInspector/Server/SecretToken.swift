// The secret of the printed address, and of the cookie.

#if Inspector
/// A secret of 128 random bits, as 32 hexadecimal digits.
struct SecretToken: Sendable {
    let text: String

    /// Creates a new secret.
    init() {
        var random = SystemRandomNumberGenerator()
        text = [random.next() as UInt64, random.next()].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Returns whether a text is the secret. The time does not depend on where they differ.
    func matches(_ other: String) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        guard own.count == other.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(own, other) { difference |= left ^ right }
        return difference == 0
    }
}
#endif
