// The Swift samples of Docs/Encryption.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

#if canImport(CryptoKit) || Encryption
import Foundation
import Trove
import TroveCrypto

// Docs/Encryption.md:56
@IndexKeyRecord("id")
private struct Person {
    let id: Int
    var name: String
    var diary: Sealed<String>?
}

enum Encryption_SealedProperties {
    @Sendable static func run() throws {
        // Docs/Encryption.md:54


        let secret = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })  // from a keychain, or a secret of the server
        let keys = try SealingKeys(secret, number: 1)

        let store = try Store(path: samplePath("people.trove"), records: [Person.self])
        var person = Person(id: 1, name: "Korben")
        try person.seal("Big badaboom", in: \.diary, with: keys)
        try store.insert(person)

        let stored = try Person.get(in: store, id: 1)
        expectOutput(try stored?.open(\.diary, with: keys) ?? "", is: #"Big badaboom"#, at: "Docs/Encryption.md:72")
        expectOutput(try Person.filter(\.name == "Korben").keys(in: store), is: #"[1]"#, at: "Docs/Encryption.md:73")
        _ = secret
        _ = keys
        _ = store
        _ = person
        _ = stored
    }
}
#else
enum Encryption_SealedProperties {
    @Sendable static func run() {}
}
#endif
