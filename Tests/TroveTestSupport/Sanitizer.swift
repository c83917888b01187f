// Sanitizers, whose frames are larger: a thread needs more stack.

import Foundation

/// Whether the tests are built with the address or the thread sanitizer.
public let hasSanitizer: Bool = {
    let program = unsafe dlopen(nil, RTLD_NOW)
    return unsafe dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
}()

/// The size of a small stack in bytes: 512 KiB, as a secondary thread has it on Apple's systems. With a sanitizer, it
/// has the size that the same calls need then.
public let smallStackSize = hasSanitizer ? 8 << 20 : 512 << 10
