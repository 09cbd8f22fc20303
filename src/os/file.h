#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace willitrun {

/// Reads a whole file. NotFound when it is not there, ResourceExhausted when it is larger than `max_bytes`.
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t max_bytes = UINT64_MAX);

/// Reads up to `count` bytes from `offset`; shorter only at the end of the file.
Result<std::string> read_file_range(const std::filesystem::path& path, std::uint64_t offset, std::uint64_t count);

/// Returns the size of a regular file in bytes.
Result<std::uint64_t> size_of_file(const std::filesystem::path& path);

/// Replaces a file so that a reader, a crash or a full disk sees the old or the new content, never a part: temporary
/// name in the same folder, fsync, rename, fsync of the folder. Creates the folder when it is missing.
/// ResourceExhausted when the disk is full.
Status write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Moves a finished file into place under its final name in the same file system: fsync, rename, fsync of the folder. A
/// reader or a crash sees the old or the new file.
Status publish_file(const std::filesystem::path& finished, const std::filesystem::path& path);

/// Renames within one file system, in place of what had the name, and syncs the folder.
Status rename_and_sync(const std::filesystem::path& from, const std::filesystem::path& to);

/// Writes all bytes to an open file; `path` is for the error.
Status write_all(int fd, const std::filesystem::path& path, std::string_view bytes);

/// Makes a folder and its parents.
Status make_folder(const std::filesystem::path& path);

/// Makes `user` (and the group of that number) the owner of a file or folder, not of what is in it. Only root may.
Status give_to_user(const std::filesystem::path& path, unsigned user);

/// Removes a file or a folder with everything in it; nothing to remove is no error.
Status remove_tree(const std::filesystem::path& path);

/// Returns the names in a folder, sorted; `.` and `..` left out.
Result<std::vector<std::string>> list_folder(const std::filesystem::path& path);

/// Makes an Error of the current errno: `what 'path': reason`, with the Code that fits.
Error errno_error(std::string_view what, const std::filesystem::path& path);

}  // namespace willitrun
