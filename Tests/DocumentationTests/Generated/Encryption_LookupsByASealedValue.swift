// The Swift samples of Docs/Encryption.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

#if canImport(CryptoKit) || Encryption
import Foundation
import Trove
import TroveCrypto

// Docs/Encryption.md:194
@IndexKeyRecord("id")
private struct User {
    #Unique<User>(\.emailPrint, collisions: .throw)
    let id: Int
    var email: Sealed<String>
    var emailPrint: Fingerprint
}

enum Encryption_LookupsByASealedValue {
    @Sendable static func run() throws {
        // Docs/Encryption.md:189
        let secret = Data(repeating: 1, count: 32)
        // Docs/Encryption.md:194

        let keys = try SealingKeys(secret, number: 1)
        let store = try Store.temporary(records: [User.self])
        for (id, email) in [(1, "korben@example.com"), (2, "Leeloo@example.com")] {
            let user = User(
                id: id, email: try keys.seal(email, in: \User.email, of: id),
                emailPrint: try keys.fingerprint(of: email.lowercased(), in: \User.email))
            try store.insert(user)
        }
        let sought = try keys.fingerprint(of: "leeloo@example.com", in: \User.email)
        expectOutput(try User.filter(\.emailPrint == sought).keys(in: store), is: #"[2]"#, at: "Docs/Encryption.md:211")
        _ = secret
        _ = keys
        _ = store
        _ = sought
    }
}
#else
enum Encryption_LookupsByASealedValue {
    @Sendable static func run() {}
}
#endif
