// The commands of a second program on the files of an environment that it does not share.

import Foundation
import LMDB

/// Opens a temporary environment, and holds it until a line of input, or its end.
struct HoldTemporaryCommand {
    let path: String

    func run() throws {
        var options = EnvironmentOptions(durability: .noSync)
        options.isTemporary = true
        let environment = try Environment(path: path, options: options)
        _ = try environment.createDatabase("table")
        say("holding")
        _ = readLine()
        say("done")
    }
}

/// Prints the process that holds a lock on a lock file.
struct LockOwnerCommand {
    let path: String

    func run() throws {
        let descriptor = unsafe open(path, O_RDWR)
        guard descriptor >= 0 else { throw WorkerError(message: "no \(path)") }
        defer { close(descriptor) }
        // liblmdb's lock: the first byte, shared by all processes with the environment open.
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        guard unsafe fcntl(descriptor, F_GETLK, &lock) == 0 else { throw WorkerError(message: "fcntl: \(errno)") }
        say(lock.l_type == Int16(F_UNLCK) ? "nobody" : "\(lock.l_pid)")
    }
}

/// Holds the lock of an open environment, as a process with another build of liblmdb would, until a line of input.
struct LockFileCommand {
    let path: String

    func run() throws {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw WorkerError(message: "no \(path)") }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        guard unsafe fcntl(descriptor, F_SETLK, &lock) == 0 else { throw WorkerError(message: "fcntl: \(errno)") }
        say("locked")
        _ = readLine()
    }
}
