// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2397
@IndexKeyRecord("id")
private struct Station: Codable {
    #Unique<Station>(\.code, collisions: .throw)

    let id: Int
    var code: String
    var name: String
}

enum Cookbook_ImportAndRestore {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2397

        let store = try Store(path: samplePath("stations.trove"), records: [Station.self])
        try store.insert(Station(id: 2, code: "OSL", name: "Oslo S"))

        let json = #"[{"id": 1, "code": "BGO", "name": "Bergen"}, {"id": 2, "code": "OSL", "name": "Oslo"}]"#
        let stations = try JSONDecoder().decode([Station].self, from: Data(json.utf8))
        try store.insert(contentsOf: stations, onConflict: .ignore)
        expectOutput(try Station.query().select(\.name).resolve(in: store), is: #"["Bergen", "Oslo S"]"#, at: "Docs/Cookbook.md:2412")

        do {
            try store.insert(contentsOf: [
                Station(id: 3, code: "TRD", name: "Trondheim"), Station(id: 4, code: "OSL", name: "Oslo V"),
            ])
        } catch StoreError.record(.notUnique) {
            expectOutput(try Station.query().count(in: store), is: #"2"#, at: "Docs/Cookbook.md:2419")
        }
        // Docs/Cookbook.md:2426
        let backup = store.path + ".backup"
        try store.copy(to: backup)
        try store.insert(contentsOf: stations, onConflict: .replace)  // a mistake
        let path = store.path
        try store.close()

        for file in [path, path + "-lock"] { try FileManager.default.removeItem(atPath: file) }
        try FileManager.default.moveItem(atPath: backup, toPath: path)
        let restored = try Store(path: path, records: [Station.self])
        expectOutput(try Station.get(in: restored, id: 2)?.name ?? "none", is: #"Oslo S"#, at: "Docs/Cookbook.md:2435")
        _ = store
        _ = json
        _ = stations
        _ = backup
        _ = path
        _ = restored
    }
}
