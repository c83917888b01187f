// The Swift samples of Docs/FullText.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/FullText.md:533
@IndexKeyRecord("id")
private struct Writer {
    let id: Int
    var name: String
}

// Docs/FullText.md:539
@IndexKeyRecord("id")
private struct Post {
    #FullTextIndex<Post>("Index", gathering: { keys, context in
        var texts: [Int: String] = [:]
        for post in try context.get(Post.self, keys: keys) {
            let writer = try context.get(Writer.self, key: post.writer)
            texts[post.id] = post.title + " " + (writer?.name ?? "")
        }
        return texts
    })

    let id: Int
    var title: String
    var writer: Int
}

// Docs/FullText.md:608
@IndexKeyRecord("id")
private struct Scan {
    #FullTextIndex<Scan>("Letters", gathering: { keys, store in
        var texts: [Int: String] = [:]
        for scan in try await store.get(Scan.self, keys: keys) { texts[scan.id] = try await recognizedText(scan.file) }
        return texts
    })

    let id: Int
    var file: String
}

// Docs/FullText.md:620
private func recognizedText(_ file: String) async throws -> String { "the words in " + file }

enum FullText_TextFromElsewhere {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        // Docs/FullText.md:531



        let store = try Store.temporary(records: [Writer.self, Post.self])
        try store.write { context in
            try context.insert(Writer(id: 1, name: "Ida Falk"))
            try context.insert(Post(id: 1, title: "Why I love My boat", writer: 1))
            expectOutput(try Post.matching("falk boat", index: "Index").keys(in: context), is: #"[1]"#, at: "Docs/FullText.md:559")
        }
        expectOutput(try Post.matching("\"I love My\"", index: "Index").resolve(in: store).map(\.title), is: #"["Why I love My boat"]"#, at: "Docs/FullText.md:561")
        // Docs/FullText.md:587
        try store.write { context in
            try context.insert(Writer(id: 1, name: "Ida Holm"), onConflict: .replace)
            try Post.filter(\.writer == 1).regather(in: context)
        }
        expectOutput(try Post.matching("holm").keys(in: store), try Post.matching("falk").keys(in: store), is: #"[1] []"#, at: "Docs/FullText.md:591")
        return {
            // Docs/FullText.md:608


            let scans = try await Store.temporary(records: [Scan.self], options: StoreOptions(gathersTexts: false))
            try await scans.insert(contentsOf: [Scan(id: 1, file: "letter"), Scan(id: 2, file: "receipt")])
            expectOutput(try await scans.waitingTexts(of: Scan.self), try await Scan.matching("words").count(in: scans), is: #"2 0"#, at: "Docs/FullText.md:624")
            expectOutput(try await scans.gatherTexts(of: Scan.self), try await Scan.matching("receipt").keys(in: scans), is: #"2 [2]"#, at: "Docs/FullText.md:625")
            _ = scans
        }
    }
}
