# The first stage compiles the program. The image of the second stage contains only the program, Swift's runtime and
# libpq. PROGRAM is gymrats or whosthere. Any image with Swift 6.2 or newer can compile the program.
FROM swift:6.3.1-bookworm AS build
RUN apt-get update -q \
  && apt-get install -y -q --no-install-recommends libpq-dev zlib1g-dev pkg-config \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The dependencies are resolved first, so that a changed source file does not download them again.
COPY Package.swift Package.resolve[d] ./
RUN swift package resolve
COPY . .
# BATON_COMMIT is the commit that `--version` prints:
# docker build --build-arg BATON_COMMIT="$(git rev-parse --short=12 HEAD)"
ARG BATON_COMMIT
ARG PROGRAM=gymrats
RUN swift build -c release --product "$PROGRAM" \
  && install -D ".build/release/$PROGRAM" /out/program

FROM swift:6.3.1-bookworm-slim
RUN apt-get update -q \
  && apt-get install -y -q --no-install-recommends libpq5 zlib1g ca-certificates tzdata \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --no-create-home baton
COPY --from=build /out/program /usr/local/bin/program
USER 10001
# A worker reads no input, stores no files and exits within ten seconds after SIGTERM.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/program"]
CMD ["worker"]
