#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Resident memory.
func residentKiB() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
        separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4
}

/// User and system time of all threads, in seconds.
func processorTime() -> Double {
    let usage = used()
    let micros = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(micros) / 1_000_000
}

/// The times that a thread has waited, and was woken.
func wakeUps() -> Int { used().ru_nvcsw }

private func used() -> rusage {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    return usage
}

/// Open files, sockets and pipes.
func descriptorCount() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = -3  // ".", ".." and the folder itself
    while readdir(folder) != nil { count += 1 }
    return count
}

func threadCount() -> Int {
    guard let folder = opendir("/proc/self/task") else { return 0 }
    defer { closedir(folder) }
    var count = -2
    while readdir(folder) != nil { count += 1 }
    return count
}
