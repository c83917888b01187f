// The use of libstemmer. The only file of the module with `unsafe`.

import CStemmer
import Synchronization

/// The stemmers of a language. A stemmer of the library serves a single thread at a time, so each call takes one out.
final class StemmerPool: Sendable {
    /// The maximum number of idle stemmers.
    private static let limit = 16

    private let language: String
    private let idle = Mutex<[LibraryStemmer]>([])

    init(_ language: String) { self.language = language }

    /// Returns the stem of a word; the word itself if the library does not have the language.
    func stem(_ word: String) -> String {
        guard let stemmer = idle.withLock({ $0.popLast() }) ?? LibraryStemmer(language) else { return word }
        defer { idle.withLock { if $0.count < Self.limit { $0.append(stemmer) } } }
        return stemmer.stem(word) ?? word
    }
}

/// A stemmer of the library. Its owner, the pool, gives it to a single thread at a time.
@safe private final class LibraryStemmer: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Returns nil if the library does not have the language.
    init?(_ language: String) {
        guard let handle = unsafe sb_stemmer_new(language, "UTF_8") else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe sb_stemmer_delete(handle) }

    /// Returns the stem of a word; nil if memory is exhausted.
    func stem(_ word: String) -> String? {
        var word = word
        return word.withUTF8 { bytes in
            guard let stem = unsafe sb_stemmer_stem(handle, bytes.baseAddress, Int32(clamping: bytes.count)) else {
                return nil
            }
            let length = unsafe Int(sb_stemmer_length(handle))
            return unsafe String(decoding: UnsafeBufferPointer(start: stem, count: length), as: UTF8.self)
        }
    }
}

/// What the installed library has.
enum StemmerLibrary {
    /// Returns the names of the languages, sorted.
    static func languages() -> [String] {
        guard var next = unsafe sb_stemmer_list() else { return [] }
        var languages: [String] = []
        while let name = unsafe next.pointee {
            unsafe languages.append(String(cString: name))
            unsafe next += 1
        }
        return languages.sorted()
    }
}
