// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:800
@IndexKeyRecord("id")
private struct Talk {
    #FullTextIndex<Talk>(\.title, \.abstract, \.speakers, weights: [4, 1, 2])
    #Index<Talk>(\.year)

    let id: Int
    var title: String
    var abstract: String?
    var speakers: [String]
    var year: Int
}

enum Cookbook_ASearchBox {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:800

        let talks = try Store(path: samplePath("talks.trove"), records: [Talk.self])
        try talks.insert(contentsOf: [
            Talk(id: 1, title: "Storing records", abstract: "Ordered keys, and Swift.", speakers: ["Åsa Berg"], year: 2024),
            Talk(id: 2, title: "Swift in the kernel", abstract: nil, speakers: ["Ann Ulm"], year: 2023),
            Talk(id: 3, title: "Fast search", abstract: "How we store words.", speakers: ["Åsa Berg", "Bo Lee"], year: 2022),
        ])

        let typed = "swift"
        expectOutput(try Talk.matching(typed).limit(20).keys(in: talks), is: #"[2, 1]"#, at: "Docs/Cookbook.md:820")
        // Docs/Cookbook.md:826
        expectOutput(try Talk.matching(TextQuery<Talk>(typed).within(\.abstract, \.speakers)).keys(in: talks), is: #"[1]"#, at: "Docs/Cookbook.md:826")
        expectOutput(try Talk.matching("title:swift OR speakers:asa").keys(in: talks).sorted(), is: #"[1, 2, 3]"#, at: "Docs/Cookbook.md:827")
        // Docs/Cookbook.md:833
        let recent = Talk.matching("swift OR search").filter(\.year >= 2023)
        expectOutput(try recent.keys(in: talks), try recent.count(in: talks), is: #"[2, 1] 2"#, at: "Docs/Cookbook.md:834")
        expectOutput(try Talk.filter(.matches("berg")).sorted(by: \.year).keys(in: talks), is: #"[3, 1]"#, at: "Docs/Cookbook.md:835")
        // Docs/Cookbook.md:841
        let suggestions = try ["b", "berg s", "berg se"].map { typed in
            try Talk.matching(TextQuery(typed, lastIsPrefix: true)).limit(5).select(\.title).resolve(in: talks)
        }
        expectOutput(suggestions.map(\.count), suggestions[2], is: #"[2, 2, 1] ["Fast search"]"#, at: "Docs/Cookbook.md:844")
        // Docs/Cookbook.md:850
        let words = "swift search"
        var found = try Talk.matching(words).keys(in: talks)
        if found.isEmpty { found = try Talk.matching(TextQuery(words, joining: .any)).keys(in: talks) }
        expectOutput(found, is: #"[3, 2, 1]"#, at: "Docs/Cookbook.md:853")
        // Docs/Cookbook.md:859
        expectOutput(try Talk.filter(.string(\.title, \.abstract, contains: "ord")).keys(in: talks), is: #"[1, 3]"#, at: "Docs/Cookbook.md:859")
        expectOutput(try Talk.filter(.string(\.title, \.abstract, matches: "kernels")).keys(in: talks), is: #"[2]"#, at: "Docs/Cookbook.md:860")
        // Docs/Cookbook.md:866
        expectOutput(try Talk.matching(.plain("-swift")).count(in: talks), is: #"2"#, at: "Docs/Cookbook.md:866")
        _ = talks
        _ = typed
        _ = recent
        _ = suggestions
        _ = words
        _ = found
    }
}
