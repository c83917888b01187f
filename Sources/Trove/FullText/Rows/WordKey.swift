// The key of a word.
//
//     key = word                   at most 255 bytes of UTF-8
//         | head FF hash           longer: its first 238 bytes, cut at a scalar, and 16 bytes of a hash of the word
//
// FF is no byte of UTF-8. So the words with a prefix of at most 238 bytes are the keys with that prefix. Of the words
// with a longer prefix, words longer than 255 bytes have keys with the head of the prefix and FF, as other words do.

import LMDB

/// The stored key of a word.
enum WordKey {
    static let sizeLimit = 255
    static let headSize = 238
    /// The sizes of heads, which end with a scalar.
    static let headSizes = headSize - 3...headSize
    /// The byte between the head and the hash of a long word, and the number of bytes of the hash.
    static let hashMark: UInt8 = 0xFF
    static let hashSize = 16

    /// Replaces the bytes of a key by the key of a word.
    static func write(_ word: ByteView, to key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        guard word.count > sizeLimit else { return word.append(to: &key) }
        head(of: word).append(to: &key)
        key.append(hashMark)
        key += LongEntryHash.bytes(of: word.copy()[...])
    }

    /// Returns the beginning of the keys of all long words that may have a prefix of more than 238 bytes.
    static func longWords(startingWith prefix: ByteView) -> [UInt8] { head(of: prefix).copy() + [hashMark] }

    /// Returns the beginning of a word or a prefix of more than 238 bytes, without a part of a scalar.
    private static func head(of word: ByteView) -> ByteView {
        var size = headSize
        while size > headSizes.lowerBound, word[size] & 0xC0 == 0x80 { size -= 1 }
        return word.prefix(size)
    }
}
