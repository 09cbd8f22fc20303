#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/page_build.h"
#include "cli/public_site.h"
#include "cli/version.h"
#include "server/site_writer.h"

namespace willitrun {
namespace {

struct Options {
  std::string folder;
  std::string page;
  std::string from;
  bool is_private = false;
  bool for_space = false;
};

/// What the Hub recommends for a repository of a static Space.
constexpr HostLimits kSpaceLimits = {.files = 100'000, .files_per_folder = 10'000, .file_bytes = 10'000'000};

constexpr std::string_view kSpaceReadme =
    "---\ntitle: willitrun\nemoji: \"\\u2705\"\ncolorFrom: gray\ncolorTo: green\nsdk: static\napp_file: index.html\n"
    "pinned: false\nlicense: apache-2.0\nshort_description: Does this model run, unmodified, on AWS Trainium?\n---\n\n"
    "Made by `willitrun site --space`. Everything here is made from the Parquet files in `data/`.\n";

Result<ExitStatus> run(const Options& options, const Session& session) {
  ASSIGN_OR_RETURN(auto page, ServedFiles::read(page_folder(options.page)));
  RETURN_IF_ERROR(check_page_build(page.get()));
  ASSIGN_OR_RETURN(const auto source, options.from.empty() ? PublicSite::of_home(session, options.is_private)
                                                           : PublicSite::of_dataset(options.from));
  const std::filesystem::path folder = options.folder;
  ASSIGN_OR_RETURN(const ExportReport data, export_dataset(folder / "data", source->dataset()));
  Site site{.content = {.snapshot = source->snapshot()}, .rows = source.get()};
  ASSIGN_OR_RETURN(site.content.data, ServedFiles::read(folder / "data"));
  site.page = std::move(page);
  site.version = program_version();
  SiteOptions how;
  if (options.for_space) how = {.limits = kSpaceLimits, .readme = std::string(kSpaceReadme)};
  ASSIGN_OR_RETURN(const SiteReport report, write_site(std::move(site), folder, how));
  if (!session.quiet)
    fmt::print("{}: {} files written, {} unchanged, {} removed\n", folder.string(),
               report.num_written + static_cast<std::size_t>(data.files_written),
               report.num_unchanged + static_cast<std::size_t>(data.files_unchanged),
               report.num_removed + static_cast<std::size_t>(data.files_removed));
  return ExitStatus::Ok;
}

}  // namespace

void add_site_command(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("site", "Write the web page and the API's answers as static files");
  command->footer(
      "Any host of static files serves the folder, below any path (docs/formats/site.md).\n"
      "Examples:\n  willitrun site /srv/www/willitrun\n  willitrun site space/ --space\n"
      "  willitrun site out/ --from dataset/");
  command->add_option("DIR", options->folder, "Folder to write to")->required();
  command->add_flag("--space", options->for_space, "Add what a static Space of the Hub needs, and keep its limits");
  command->add_option("--from", options->from, "A Parquet file or folder to make the site from, instead of the home");
  command->add_flag("--private", options->is_private,
                    "For a host inside the house: also models in local folders, and texts as they were written");
  command->add_option("--page", options->page, "Folder of the page build (default: the one that was installed)");
  command->callback(
      [&chosen, options] { chosen = [options](const Session& session) { return run(*options, session); }; });
}

}  // namespace willitrun
