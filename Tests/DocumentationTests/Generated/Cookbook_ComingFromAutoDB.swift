// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2842
@IndexKeyRecord("id")
private struct ArtistRecord {
    let id: AutoID
    var name: String = ""
    var albums: Int = 0
}

// Docs/Cookbook.md:2849
private typealias Artist = Live<ArtistRecord>

// Docs/Cookbook.md:2851
extension Live where Record == ArtistRecord {
    var isBusy: Bool { self.albums > 10 }
}

enum Cookbook_ComingFromAutoDB {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2842



        let store = try Store.temporary(records: [ArtistRecord.self])
        let artist: Artist = try ArtistRecord.create(in: store) { ArtistRecord(id: $0, name: "Ines") }
        artist.albums = 12
        expectOutput(artist.hasChanges, artist.isBusy, is: #"true true"#, at: "Docs/Cookbook.md:2858")
        try store.live.saveAllChanges()
        expectOutput(try ArtistRecord.filter(\.albums > 10).live(in: store).first === artist, is: #"true"#, at: "Docs/Cookbook.md:2860")
        _ = store
        _ = artist
    }
}
